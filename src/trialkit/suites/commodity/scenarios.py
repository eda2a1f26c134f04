"""The golden CSV: rows, read and checked whole before anything is spent, and the scenarios in them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from trialkit.errors import InputError
from trialkit.suites.commodity import cells
from trialkit.suites.commodity.alerts import Analysis
from trialkit.suites.commodity.cells import EvalType, StrictTruth
from trialkit.suites.commodity.portfolio import Position, Price
from trialkit.text.csvfile import KEY_COLUMN, CsvRow, read_table
from trialkit.text.sheet import TRIAL_COLUMN, read_human_outcome, read_outcome, read_trial
from trialkit.text.short import shortened, shown
from trialkit.vocabulary import Outcome

INPUT_COLUMNS = (
    KEY_COLUMN,
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
#: With fewer of them a file is another kind of CSV: to name each that is missing would tell nothing.
_FEWEST_KNOWN = 3
SPENDING_COLUMNS = ("Input Tokens", "Output Tokens", "Cost USD", "Latency s")
#: What our results have besides.
OWN_COLUMNS = (
    TRIAL_COLUMN,
    "Judge",
    "Error",
    "Rules Outcome",
    "Rules Critique",
    "Judges Agree",
    *SPENDING_COLUMNS,
)
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """What is asked, and the truth that answers are held against."""

    id: str
    description: str
    user_name: str
    positions: tuple[Position, ...]
    prices: tuple[Price, ...]
    eval_type: EvalType
    truth: StrictTruth | tuple[str, ...]  # criteria: the rules

    @property
    def commodities(self) -> frozenset[str]:
        """The codes that a suggestion may be about."""
        return frozenset(position.commodity_code for position in self.positions)

    def price_of(self, position: Position) -> float:
        return next(one.price for one in self.prices if one.commodity_code == position.commodity_code)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """From a case of the run file, which has the cells of the row as `raw`."""
        raw = data["raw"]
        eval_type, truth = cells.read_eval_type(raw["Eval Type"]), raw["Ground Truth"]
        return cls(
            id=raw[KEY_COLUMN].strip(),
            description=raw["Description"],
            user_name=raw["User Name"],
            positions=cells.read_positions(raw["Positions JSON"]),
            prices=cells.read_prices(raw["Prices JSON"]),
            eval_type=eval_type,
            truth=cells.read_strict(truth) if eval_type == "strict" else cells.read_rules(truth),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldenRow:
    """A scenario, and what earlier work left in its row: answer, verdict, label."""

    scenario: Scenario
    raw: Mapping[str, str]  # the cells of the input columns as they were read, to be written back unchanged
    trial: int | None  # None: the file has no column Trial, so that the row stands for the scenario
    response: Analysis | None
    critique: str
    outcome: Outcome | None
    human_critique: str
    human_outcome: Literal["pass", "fail"] | None
    judge: str = ""
    error: str = ""
    rules_outcome: Outcome | None = None
    rules_critique: str = ""
    spending: Mapping[str, str] = field(default_factory=dict)
    #: Columns that are not ours, in the order of the file.
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.scenario.id


def read_golden(path: Path) -> list[GoldenRow]:
    """Every row of a golden or results CSV; InputError names all that is wrong in it, one problem per line."""
    table = read_table(path)
    _check_header(path, table.columns)
    filled = [row for row in table.rows if any(cell.strip() for cell in row.cells)]
    readers = [_RowReader(path, table.columns, row) for row in filled]
    _number_trials([reader for reader in readers if reader.whole])
    rows = [reader.read() for reader in readers]
    _check_keys([reader for reader in readers if reader.whole])
    problems = [problem for reader in readers for problem in reader.problems]
    if table.broken:
        problems.append(table.broken)
    if problems:
        raise InputError("\n".join(problems))
    if not rows:
        raise InputError(f"{path}: there are no rows under the header; add a row for each scenario")
    return [row for row in rows if row]


def _check_header(path: Path, columns: tuple[str, ...]) -> None:
    alike = {name.strip().casefold(): name for name in columns}
    if len(alike.keys() & {name.casefold() for name in COLUMNS}) < _FEWEST_KNOWN:
        fix = f"its columns are {', '.join(COLUMNS)}; `trialkit init` writes one to start from"
        raise InputError(f"{path}:1: not a golden CSV; {fix}")
    wrong = [
        f'{path}:1: the column "{name}" is missing; '
        + (f"rename {shown(near)}" if (near := alike.get(name.casefold())) else "add it to the header")
        for name in COLUMNS
        if name not in columns
    ]
    twice = dict.fromkeys(name for name in columns if name.strip() and columns.count(name) > 1)
    wrong += [f"{path}:1: the column {shown(name)} stands there twice; rename or remove one" for name in twice]
    nameless = [place for place, name in enumerate(columns, start=1) if not name.strip()]
    wrong += [f"{path}:1: column {place} of {len(columns)} has no name; name or remove it" for place in nameless]
    if wrong:
        raise InputError("\n".join(wrong))


class _RowReader:
    """Reads one row, gathering its problems instead of stopping at the first."""

    def __init__(self, path: Path, columns: tuple[str, ...], row: CsvRow) -> None:
        self.line = row.line
        self.problems: list[str] = []
        self.trial: int | None = None
        self._where = f"{path}:{row.line}"
        self.cells = dict(zip(columns, row.cells, strict=False))
        self.id = self.cells.get(KEY_COLUMN, "").strip()
        self.whole = len(row.cells) == len(columns)
        if not self.whole:
            size = f"the row has {len(row.cells)} cells, the header names {len(columns)} columns"
            self.problems.append(f"{self._where}: {size}; quote cells that hold a comma, and write empty ones too")

    def problem(self, column: str, wrong: str) -> None:
        value = shortened(self.cells[column]) or "(empty)"
        self.problems.append(f"{self._where}: column {shown(column)}: value {value}: {wrong}")

    def get(self, column: str, read: Callable[[str], T]) -> T | None:
        """None as well where the file has no such column."""
        try:
            return read(self.cells[column]) if column in self.cells else None
        except ValueError as error:
            self.problem(column, str(error))
            return None

    def read(self) -> GoldenRow | None:
        if not self.whole:
            return None
        for column, cell in self.cells.items():
            if "\0" in cell:
                self.problem(column, "holds a NUL character; remove it")
        scenario = self._scenario()
        outcome = self.get("Model Outcome", read_outcome)
        rules_outcome = self.get("Rules Outcome", read_outcome)
        response, human_outcome = self._label()
        if self.problems or scenario is None:
            return None
        return GoldenRow(
            scenario=scenario,
            raw={column: self.cells[column] for column in INPUT_COLUMNS},
            trial=self.trial,
            response=response,
            critique=self.cells["Model Critique"],
            outcome=outcome,
            human_critique=self.cells["Human Critique"],
            human_outcome=human_outcome,
            judge=self.cells.get("Judge", ""),
            error=self.cells.get("Error", ""),
            rules_outcome=rules_outcome,
            rules_critique=self.cells.get("Rules Critique", ""),
            spending={column: self.cells[column] for column in SPENDING_COLUMNS if column in self.cells},
            extra={column: cell for column, cell in self.cells.items() if column not in {*COLUMNS, *OWN_COLUMNS}},
        )

    def _scenario(self) -> Scenario | None:
        if not self.id:
            self.problem(KEY_COLUMN, "is empty; give the scenario an id, e.g. S11")
        elif not self.id.isprintable():
            self.problem(KEY_COLUMN, "holds a line break or control character; remove it")
        positions = self.get("Positions JSON", cells.read_positions)
        prices = self.get("Prices JSON", cells.read_prices)
        eval_type = self.get("Eval Type", cells.read_eval_type)
        truth = self._truth(eval_type, positions)
        if positions and prices:
            self._check_prices(positions, prices)
        if not (positions and prices and eval_type and truth):
            return None
        return Scenario.from_data({"raw": self.cells})

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
        human_outcome = self.get("Human Outcome", read_human_outcome)
        if human_outcome and not self.cells["Model Response"].strip():
            wrong = "is a label without the answer that it judges; fill in Model Response or clear this cell"
            self.problem("Human Outcome", wrong)
        return response, human_outcome

    def _check_prices(self, positions: tuple[Position, ...], prices: tuple[Price, ...]) -> None:
        priced = {price.commodity_code for price in prices}
        for code in sorted({position.commodity_code for position in positions} - priced):
            fix = f'add {{"commodity_code": {shown(code)}, "price": …}}'
            self.problem("Prices JSON", f"there is no price for {shown(code)}, which has a position; {fix}")


def _number_trials(readers: Iterable[_RowReader]) -> None:
    """A row whose Trial is empty gets the lowest number that its scenario has not used yet."""
    taken: defaultdict[str, set[int | None]] = defaultdict(set)
    numberless = []
    for reader in readers:
        if reader.cells.get(TRIAL_COLUMN, "").strip():
            reader.trial = reader.get(TRIAL_COLUMN, read_trial)
            taken[reader.id].add(reader.trial)
        elif TRIAL_COLUMN in reader.cells:
            numberless.append(reader)
    for reader in numberless:
        reader.trial = next(number for number in count(1) if number not in taken[reader.id])
        taken[reader.id].add(reader.trial)


def _check_keys(readers: Iterable[_RowReader]) -> None:
    """(Scenario ID, Trial) is unique, and all trials of a scenario are trials of the same scenario."""
    seen: dict[tuple[str, int | None], int] = {}
    first: dict[str, _RowReader] = {}
    for reader in readers:
        if not reader.id or (reader.trial is None and TRIAL_COLUMN in reader.cells):
            continue  # a row without a key, which has been told already
        line = seen.setdefault((reader.id, reader.trial), reader.line)
        if line != reader.line:
            wrong = f"stands on line {line} already" + (f" with the same trial {reader.trial}" if reader.trial else "")
            reader.problem(KEY_COLUMN, f"{wrong}; give each row an id of its own")
            continue
        origin = first.setdefault(reader.id, reader)
        for column in INPUT_COLUMNS[1:]:
            if reader.cells[column] != origin.cells[column]:
                wrong = f"is not what line {origin.line} has for another trial of {shown(reader.id)}"
                reader.problem(column, f"{wrong}; make them the same, or give one scenario another id")
