"""The golden CSV: rows, read and checked whole before anything is spent."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.csvfile import KEY_COLUMN, read_table
from trialkit.text.sheet import (
    TRIAL_COLUMN,
    RowReader,
    read_human_outcome,
    read_outcome,
    read_trial,
    readers_of,
    refuse_problems,
)
from trialkit.text.short import shown

from . import scenarios
from .alerts import read_response
from .scenarios import INPUT_COLUMNS, Position, Price, Scenario

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
#: Of the answer alone, as run files tell it: what the columns above say includes judging.
ANSWER_COLUMNS = ("Answer Cost USD", "Answer Latency s")
#: Who answered. Like the columns above, it is kept with an answer that another run judges.
SUBJECT_COLUMNS = ("Analyzer Model", "Analyzer Prompt")
KEPT_COLUMNS = (*SPENDING_COLUMNS, *ANSWER_COLUMNS, *SUBJECT_COLUMNS)
#: What our results have besides.
OWN_COLUMNS = (
    TRIAL_COLUMN,
    "Judge",
    "Error",
    "Rules Outcome",
    "Rules Critique",
    "Judges Agree",
    *KEPT_COLUMNS,
    "Run Name",
)


class GoldenRow(RowReader):
    """A scenario, and what earlier work left in its row: answer, verdict, label."""

    scenario: Scenario
    trial: int | None = None  # None: the file has no column Trial, so that the row stands for the scenario

    def cell(self, column: str) -> str:
        return self.cells.get(column, "")

    @property
    def raw(self) -> dict[str, str]:
        """The cells of the input columns, to be written back unchanged."""
        return {column: self.cells[column] for column in INPUT_COLUMNS}

    @property
    def extra(self) -> dict[str, str]:
        """Columns that are not ours, in the order of the file."""
        return {column: cell for column, cell in self.cells.items() if column not in {*COLUMNS, *OWN_COLUMNS}}

    def read(self) -> None:
        for column, cell in self.cells.items():
            if "\0" in cell:
                self.problem(column, "holds a NUL character; remove it")
        self._check_scenario()
        self.response = self.get("Model Response", read_response)
        outcome, rules_outcome = self.get("Model Outcome", read_outcome), self.get("Rules Outcome", read_outcome)
        human_outcome = self.get("Human Outcome", read_human_outcome)
        self.outcome, self.rules_outcome, self.human_outcome = outcome, rules_outcome, human_outcome
        if human_outcome and not self.cells["Model Response"].strip():
            wrong = "is a label without the answer that it judges; fill in Model Response or clear this cell"
            self.problem("Human Outcome", wrong)
        if not self.problems:
            self.scenario = Scenario.from_data({"raw": self.cells})

    def _check_scenario(self) -> None:
        if not self.id:
            self.problem(KEY_COLUMN, "is empty; give the scenario an id, e.g. S11")
        elif not self.id.isprintable():
            self.problem(KEY_COLUMN, "holds a line break or control character; remove it")
        positions = self.get("Positions JSON", scenarios.read_positions)
        prices = self.get("Prices JSON", scenarios.read_prices)
        eval_type = self.get("Eval Type", scenarios.read_eval_type)
        if eval_type == "criteria":
            self.get("Ground Truth", scenarios.read_rules)
        elif eval_type == "strict":
            self._check_strict(positions or ())
        if positions and prices:
            self._check_prices(positions, prices)

    def _check_strict(self, positions: tuple[Position, ...]) -> None:
        truth = self.get("Ground Truth", scenarios.read_strict)
        codes = sorted({position.commodity_code for position in positions})
        if truth and codes and truth.commodity_code not in codes:
            held = ", ".join(map(shown, codes))
            named = shown(truth.commodity_code)
            self.problem("Ground Truth", f'"commodity_code" {named} is not among the positions; write one of {held}')

    def _check_prices(self, positions: tuple[Position, ...], prices: tuple[Price, ...]) -> None:
        priced = {price.commodity_code for price in prices}
        for code in sorted({position.commodity_code for position in positions} - priced):
            fix = f'add {{"commodity_code": {shown(code)}, "price": …}}'
            self.problem("Prices JSON", f"there is no price for {shown(code)}, which has a position; {fix}")


def read_golden(path: Path) -> list[GoldenRow]:
    """Every row of a golden or results CSV; InputError names all that is wrong in it."""
    table = read_table(path)
    _check_header(path, table.columns)
    rows = readers_of(path, table, GoldenRow)
    whole = [row for row in rows if row.whole]
    _number_trials(whole)
    for row in whole:
        row.read()
    _check_keys(whole)
    refuse_problems(table, rows)
    if not rows:
        raise InputError(f"{path}: there are no rows under the header; add a row for each scenario")
    return rows


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


def _number_trials(rows: Iterable[GoldenRow]) -> None:
    """A row whose Trial is empty gets the lowest number that its scenario has not used yet."""
    taken: defaultdict[str, set[int | None]] = defaultdict(set)
    numberless = []
    for row in rows:
        if row.cells.get(TRIAL_COLUMN, "").strip():
            row.trial = row.get(TRIAL_COLUMN, read_trial)
            taken[row.id].add(row.trial)
        elif TRIAL_COLUMN in row.cells:
            numberless.append(row)
    for row in numberless:
        row.trial = next(number for number in count(1) if number not in taken[row.id])
        taken[row.id].add(row.trial)


def _check_keys(rows: Iterable[GoldenRow]) -> None:
    """(Scenario ID, Trial) is unique, and all trials of a scenario are trials of the same scenario."""
    seen: dict[tuple[str, int | None], int] = {}
    first: dict[str, GoldenRow] = {}
    for row in rows:
        if not row.id or (row.trial is None and TRIAL_COLUMN in row.cells):
            continue  # a row without a key, which has been told already
        line = seen.setdefault((row.id, row.trial), row.line)
        if line != row.line:
            wrong = f"stands on line {line} already" + (f" with the same trial {row.trial}" if row.trial else "")
            row.problem(KEY_COLUMN, f"{wrong}; give each row an id of its own")
            continue
        origin = first.setdefault(row.id, row)
        for column in INPUT_COLUMNS[1:]:
            if row.cells[column] != origin.cells[column]:
                wrong = f"is not what line {origin.line} has for another trial of {shown(row.id)}"
                row.problem(column, f"{wrong}; make them the same, or give one scenario another id")
