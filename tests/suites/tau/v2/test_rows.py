"""Rows of a database as the models of its source give them, which are read and never run."""

import json
from pathlib import Path
from typing import Any

import pytest

from trialkit.errors import InputError
from trialkit.suites.tau.v2.rows import Rows

MODELS = """
raise SystemExit("this file is read, never run")

FIRST_DAY = datetime.date(2025, 1, 1)


class Size(str, Enum):
    SMALL = "small"
    LARGE = "large"


class Part(BaseModelNoExtra):
    name: str
    worn: bool = False


class Bike(BaseModelNoExtra):
    bike_id: str
    size: Size = Field(Size.SMALL, description="how large")
    price: float
    bought: datetime.date = Field(FIRST_DAY, description="when")
    ridden: Optional[datetime.datetime] = Field(None)
    parts: List[Part] = Field(default_factory=list)
    brake: Part = Field(default_factory=lambda: Part(name="brake", worn=True))
    rooms: dict[Size, int] = Field(default_factory=lambda: {Size.SMALL: 1, Size.LARGE: 2})


class BikesDB(DB):
    bikes: List[Bike]
"""
BIKE = {"bike_id": "b1", "price": 5}


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    (tmp_path / "data_model.py").write_text(MODELS)
    return Rows(tmp_path / "data_model.py")


def _file(folder: Path, value: Any) -> Path:
    (folder / "db.json").write_text(json.dumps(value))
    return folder / "db.json"


def test_rows_in_a_list_are_known_by_their_first_field(rows: Rows, tmp_path: Path) -> None:
    other = BIKE | {"bike_id": "b2", "size": "large", "ridden": "2025-02-03 04:05:06", "parts": [{"name": "bell"}]}
    tables = rows.read(_file(tmp_path, {"bikes": [BIKE, other]}))
    assert list(tables["bikes"]) == ["b1", "b2"]
    assert tables["bikes"]["b1"] == {
        "bike_id": "b1",
        "size": "small",
        "price": 5.0,
        "bought": "2025-01-01",
        "ridden": None,
        "parts": [],
        "brake": {"name": "brake", "worn": True},
        "rooms": {"small": 1, "large": 2},
    }
    assert tables["bikes"]["b2"]["ridden"] == "2025-02-03T04:05:06"
    assert tables["bikes"]["b2"]["parts"] == [{"name": "bell", "worn": False}]
    assert json.loads(json.dumps(tables)) == tables
    assert type(tables["bikes"]["b2"]["size"]) is str


def test_a_part_takes_no_other_fields(rows: Rows) -> None:
    assert rows.part("Part", {"name": "bell"}) == {"name": "bell", "worn": False}
    with pytest.raises(ValueError, match="Extra inputs"):
        rows.part("Part", {"name": "bell", "loud": True})


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"cars": []}, "expected the tables bikes, found cars; is this another domain"),
        ({"bikes": [{**BIKE, "size": "medium"}]}, "bikes → 0 → size: Input should be 'small' or 'large'"),
    ],
)
def test_another_database_is_refused(rows: Rows, tmp_path: Path, value: Any, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        rows.read(_file(tmp_path, value))


def test_rows_that_stand_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "data_model.py").write_text(
        f"{MODELS}\n\nclass HomeDB(DB):\n    shed: Part\n    door: Part\n".replace("class BikesDB(DB)", "class Bikes")
    )
    rows = Rows(tmp_path / "data_model.py")
    found = rows.read_single(_file(tmp_path, {"shed": {"name": "shed"}, "door": {"name": "door", "worn": True}}))
    assert found == {"shed": {"name": "shed", "worn": False}, "door": {"name": "door", "worn": True}}
    with pytest.raises(InputError, match="expected shed, door, found roof; is this another domain"):
        rows.read_single(_file(tmp_path, {"roof": {}}))
    with pytest.raises(InputError, match="door → name: Field required"):
        rows.read_single(_file(tmp_path, {"shed": {"name": "shed"}}))
