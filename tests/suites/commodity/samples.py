"""Scenarios and rows for the tests of this folder."""

import json
from pathlib import Path
from typing import Any

from trialkit.suites.commodity.alerts import Analysis, Suggestion
from trialkit.suites.commodity.rows import COLUMNS
from trialkit.suites.commodity.scenarios import Position, Price, Scenario, StrictTruth
from trialkit.text.csvfile import write_rows

LONG = Position(commodity_code="CORN", direction="long", volume=50000, entry_price=4.5)
SHORT = Position(commodity_code="CORN", direction="short", volume=20000, entry_price=4.8)
WHEAT = Position(commodity_code="WHEAT", direction="long", volume=1000, entry_price=6.1)
TRUTH = StrictTruth(commodity_code="CORN", expected_condition="below", price_min=3.8, price_max=4.25)


def scenario(*rules: str, positions: tuple[Position, ...] = (LONG,), price: float = 4.25) -> Scenario:
    """Criteria with these rules; strict with none."""
    codes = sorted({position.commodity_code for position in positions})
    return Scenario(
        id="T1",
        description="a test",
        user_name="Alice",
        positions=positions,
        prices=tuple(Price(commodity_code=code, price=price) for code in codes),
        eval_type="criteria" if rules else "strict",
        truth=rules or TRUTH,
    )


def answer(*alerts: str, reasoning: str = "") -> Analysis:
    """Alerts as `below 4.1` or `WHEAT above 6.5`."""
    suggestions = []
    for alert in alerts:
        *code, condition, threshold = alert.split()
        suggestions.append(
            Suggestion(
                commodity_code=code[0] if code else "CORN",
                condition="above" if condition == "above" else "below",
                threshold_price=float(threshold),
                notes="",
            )
        )
    return Analysis(reasoning=reasoning, suggestions=tuple(suggestions))


ROW = {
    "Scenario ID": "S01",
    "Description": "a long position",
    "User Name": "Alice",
    "Positions JSON": '[{"commodity_code": "CORN", "direction": "long", "volume": 50000, "entry_price": 4.5}]',
    "Prices JSON": '[{"commodity_code": "CORN", "price": 4.25}]',
    "Eval Type": "strict",
    "Ground Truth": ('{"commodity_code": "CORN", "expected_condition": "below", "price_min": 3.80, "price_max": 4.25}'),
    "Model Response": "",
    "Model Critique": "",
    "Model Outcome": "",
    "Human Critique": "",
    "Human Outcome": "",
}
RESPONSE = json.dumps(answer("below 4.1", reasoning="It may fall.").to_data())


def row(**changes: str) -> dict[str, str]:
    """A good row; `Ground_Truth="…"` changes the cell of `Ground Truth`."""
    return ROW | {name.replace("_", " "): cell for name, cell in changes.items()}


def golden(folder: Path, *rows: dict[str, str]) -> Path:
    columns = list(dict.fromkeys([*COLUMNS, *(name for one in rows for name in one)]))
    path = folder / "golden.csv"
    path.write_bytes(write_rows(columns, [[one.get(name, "") for name in columns] for one in rows]).encode())
    return path


def changed(text: str, *path: str | int, to: Any) -> str:
    """A JSON text with one value in it changed."""
    data = json.loads(text)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return json.dumps(data)
