"""The golden CSV: scenarios, read and checked whole before anything is spent, and their form in the run file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from trialkit.errors import InputError
from trialkit.suites.commodity import cells
from trialkit.suites.commodity.alerts import Analysis
from trialkit.suites.commodity.cells import EvalType, StrictTruth
from trialkit.suites.commodity.csvfile import Row, read_table
from trialkit.suites.commodity.jsontext import shortened, shown
from trialkit.suites.commodity.portfolio import Position, Price
from trialkit.values import plain
from trialkit.vocabulary import Outcome

INPUT_COLUMNS = (
    "Scenario ID",
    "Description",
    "User Name",
    "Positions JSON",
    "Prices JSON",
    "Eval Type",
    "Ground Truth",
)
#: The twelve columns of a golden CSV, in the order in which they are written.
COLUMNS = (
    *INPUT_COLUMNS,
    "Model Response",
    "Model Critique",
    "Model Outcome",
    "Human Critique",
    "Human Outcome",
)
#: Columns of our results that mean something when they are read back.
TRIAL_COLUMN = "Trial"
ERROR_COLUMN = "Error"
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """One row: the case, and what earlier work left in the row (answer, verdict, label)."""

    id: str
    description: str
    user_name: str
    positions: tuple[Position, ...]
    prices: tuple[Price, ...]
    eval_type: EvalType
    truth: StrictTruth | tuple[str, ...]  # criteria: the rules
    trial: int | None = None
    response: Analysis | None = None
    critique: str = ""
    outcome: Outcome | None = None
    human_critique: str = ""
    human_outcome: Literal["pass", "fail"] | None = None
    error: str = ""
    #: Columns that are not ours, in the order of the file.
    extra: Mapping[str, str] = field(default_factory=dict)
    #: The twelve columns' cells as they were read, to be written back unchanged.
    raw: Mapping[str, str] = field(default_factory=dict)

    @property
    def commodities(self) -> frozenset[str]:
        """The codes that a suggestion may be about."""
        return frozenset(position.commodity_code for position in self.positions)

    def price_of(self, position: Position) -> float:
        return next(one.price for one in self.prices if one.commodity_code == position.commodity_code)

    def to_data(self) -> dict[str, Any]:
        """As JSON data, for the run file."""
        return plain(self) | {
            "positions": [plain(one) for one in self.positions],
            "prices": [plain(one) for one in self.prices],
            "truth": plain(self.truth) if isinstance(self.truth, StrictTruth) else list(self.truth),
            "response": self.response.to_data() if self.response else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """From what `to_data` gave."""
        truth, response = data["truth"], data["response"]
        built = {
            "positions": tuple(Position(**one) for one in data["positions"]),
            "prices": tuple(Price(**one) for one in data["prices"]),
            "truth": StrictTruth(**truth) if data["eval_type"] == "strict" else tuple(truth),
            "response": Analysis.from_data(response) if response else None,
        }
        return cls(**{**data, **built})


def read_scenarios(path: Path) -> list[Scenario]:
    """Every row of a golden or results CSV; InputError names all that is wrong in it, one problem per line."""
    table = read_table(path)
    _check_header(path, table.columns)
    filled = [row for row in table.rows if any(cell.strip() for cell in row.cells)]
    readers = [_RowReader(path, table.columns, row) for row in filled]
    scenarios = [reader.read() for reader in readers]
    _check_keys(readers)
    problems = [problem for reader in readers for problem in reader.problems]
    if table.broken:
        problems.append(table.broken)
    if problems:
        raise InputError("\n".join(problems))
    if not scenarios:
        raise InputError(f"{path}: there are no rows under the header; add a row for each scenario")
    return [scenario for scenario in scenarios if scenario]


def _check_header(path: Path, columns: tuple[str, ...]) -> None:
    wrong = [
        f'{path}:1: the column "{name}" is missing; add it to the header' for name in COLUMNS if name not in columns
    ]
    twice = dict.fromkeys(name for name in columns if columns.count(name) > 1)
    wrong += [f"{path}:1: the column {shown(name)} stands there twice; rename or remove one" for name in twice]
    if wrong:
        raise InputError("\n".join(wrong))


class _RowReader:
    """Reads one row, gathering its problems instead of stopping at the first."""

    def __init__(self, path: Path, columns: tuple[str, ...], row: Row) -> None:
        self.line = row.line
        self.problems: list[str] = []
        self._where = f"{path}:{row.line}"
        self.cells = dict(zip(columns, row.cells, strict=False))
        self.whole = len(row.cells) == len(columns)
        if not self.whole:
            size = f"the row has {len(row.cells)} cells, the header {len(columns)}"
            self.problems.append(f"{self._where}: {size}; quote cells that hold a comma, and write empty ones too")

    def problem(self, column: str, wrong: str) -> None:
        value = shortened(self.cells[column]) or "(empty)"
        self.problems.append(f"{self._where}: column {shown(column)}: value {value}: {wrong}")

    def get(self, column: str, read: Callable[[str], T]) -> T | None:
        try:
            return read(self.cells[column])
        except ValueError as error:
            self.problem(column, str(error))
            return None

    def read(self) -> Scenario | None:
        if not self.whole:
            return None
        for column, cell in self.cells.items():
            if "\0" in cell:
                self.problem(column, "holds a NUL character; remove it")
        if not self.cells["Scenario ID"].strip():
            self.problem("Scenario ID", "is empty; give the scenario an id, e.g. S11")
        positions = self.get("Positions JSON", cells.read_positions)
        prices = self.get("Prices JSON", cells.read_prices)
        eval_type = self.get("Eval Type", cells.read_eval_type)
        truth = self._truth(eval_type, positions)
        trial = self.get(TRIAL_COLUMN, cells.read_trial) if TRIAL_COLUMN in self.cells else None
        outcome = self.get("Model Outcome", cells.read_outcome)
        response, human_outcome = self._label()
        if positions and prices:
            self._check_prices(positions, prices)
        if self.problems or not (positions and prices and eval_type and truth):
            return None
        known = {*COLUMNS, TRIAL_COLUMN, ERROR_COLUMN}
        return Scenario(
            id=self.cells["Scenario ID"].strip(),
            description=self.cells["Description"],
            user_name=self.cells["User Name"],
            positions=positions,
            prices=prices,
            eval_type=eval_type,
            truth=truth,
            trial=trial,
            response=response,
            critique=self.cells["Model Critique"],
            outcome=outcome,
            human_critique=self.cells["Human Critique"],
            human_outcome=human_outcome,
            error=self.cells.get(ERROR_COLUMN, ""),
            extra={column: cell for column, cell in self.cells.items() if column not in known},
            raw={column: self.cells[column] for column in COLUMNS},
        )

    def _truth(
        self, eval_type: EvalType | None, positions: tuple[Position, ...] | None
    ) -> StrictTruth | tuple[str, ...] | None:
        if eval_type is None:
            return None
        if eval_type == "criteria":
            return self.get("Ground Truth", cells.read_rules)
        truth = self.get("Ground Truth", cells.read_strict)
        codes = sorted({position.commodity_code for position in positions or ()})
        if truth and codes and truth.commodity_code not in codes:
            held = ", ".join(map(shown, codes))
            named = shown(truth.commodity_code)
            self.problem("Ground Truth", f'"commodity_code" {named} is not among the positions; write one of {held}')
        return truth

    def _label(self) -> tuple[Analysis | None, Literal["pass", "fail"] | None]:
        response = self.get("Model Response", cells.read_response)
        human_outcome = self.get("Human Outcome", cells.read_human_outcome)
        if human_outcome and not self.cells["Model Response"].strip():
            wrong = "is a label without the answer that it judges; fill in Model Response or clear this cell"
            self.problem("Human Outcome", wrong)
        return response, human_outcome

    def _check_prices(self, positions: tuple[Position, ...], prices: tuple[Price, ...]) -> None:
        priced = {price.commodity_code for price in prices}
        for code in sorted({position.commodity_code for position in positions} - priced):
            fix = f'add {{"commodity_code": {shown(code)}, "price": …}}'
            self.problem("Prices JSON", f"there is no price for {shown(code)}, which has a position; {fix}")


def _check_keys(readers: Iterable[_RowReader]) -> None:
    """(Scenario ID, Trial) is unique, and all trials of a scenario are trials of the same scenario."""
    seen: dict[tuple[str, str], int] = {}
    first: dict[str, _RowReader] = {}
    for reader in readers:
        name = reader.cells["Scenario ID"].strip() if reader.whole else ""
        if not name:
            continue
        trial = reader.cells.get(TRIAL_COLUMN, "").strip()
        line = seen.setdefault((name, trial.lstrip("0") or trial[-1:]), reader.line)
        if line != reader.line:
            wrong = f"stands on line {line} already" + (f" with the same trial {trial}" if trial else "")
            reader.problem("Scenario ID", f"{wrong}; give each row an id of its own")
            continue
        origin = first.setdefault(name, reader)
        for column in INPUT_COLUMNS[1:]:
            if reader.cells[column] != origin.cells[column]:
                wrong = f"is not what line {origin.line} has for another trial of {shown(name)}"
                reader.problem(column, f"{wrong}; make them the same, or give one scenario another id")
