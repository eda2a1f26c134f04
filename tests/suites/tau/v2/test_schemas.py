"""Reading tool schemas from Python files of our own, which would fail if they were ever run."""

import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import InputError
from trialkit.suites.tau.v2.schemas import read_docstring, read_tools

MODELS = '''
from typing import Annotated, Any, Dict, List, Literal, Optional, Union
from pydantic import BaseModel, Field

import does_not_exist

Deck = Literal["upper", "lower"]
Tag = Annotated[str, Field(description="a label")]


class Thing(BaseModel):
    """Something aboard."""

    name: str = Field(description="what it is called")


class Crate(Thing):
    kilos: float = Field(..., description="how heavy")
    fragile: Optional[bool] = Field(None, description="handle with care")
    deck: Deck = "lower"

    def unrelated(self) -> Any:
        return undefined_name


class Nest(BaseModel):
    inner: "List[Nest]"


class Unreadable(BaseModel):
    field: some_function(1)
'''

TOOLS = '''
import typing
from harbour import is_tool, ToolType

open("/nowhere/at/all", "w")


class Tools:
    @is_tool(ToolType.WRITE)
    def load(
        self,
        ship: str,
        crates: List[Crate | dict],
        deck: Deck,
        counts: Dict[str, int],
        tag: Tag,
        pair: "Union[int, str]",
        note: Optional[str] = None,
        *,
        gentle: bool = True,
    ) -> None:
        """
        Put crates on a ship.
        It has to be in the harbour.

        And it has to be empty.

        Args:
            ship: The ship, such as 'Fram'.
            crates: What to load;
                    heavy ones first,
                    light ones last.
            deck (Deck): Where to.
            note: Anything: at all.

        Returns:
            str: never shown to a model.
        """

    @is_tool
    def wait(self, hours, place: typing.Any):
        pass

    def _helper(self, x: Unreadable) -> None:
        """Not a tool, so its types are not looked at."""
'''


def _read(folder: Path, tools: str, models: str = MODELS) -> Any:
    (folder / "tools.py").write_text(tools, encoding="utf-8")
    (folder / "data_model.py").write_text(models, encoding="utf-8")
    return read_tools(folder / "tools.py", folder / "data_model.py")


def test_signatures_and_docstrings_become_schemas(tmp_path: Path) -> None:
    tools = _read(tmp_path, TOOLS)
    assert list(tools) == ["load", "wait"]
    function = tools["load"].schema["function"]
    assert function["description"] == (
        "Put crates on a ship.\n\nIt has to be in the harbour.\n\nAnd it has to be empty."
    )
    parameters = function["parameters"]
    assert parameters["required"] == ["ship", "crates", "deck", "counts", "tag", "pair"]
    properties = parameters["properties"]
    assert properties["ship"] == {"description": "The ship, such as 'Fram'.", "title": "Ship", "type": "string"}
    assert properties["crates"]["description"] == "What to load;\nheavy ones first,\nlight ones last."
    assert properties["crates"]["items"] == {
        "anyOf": [{"$ref": "#/$defs/Crate"}, {"additionalProperties": True, "type": "object"}]
    }
    assert properties["deck"]["enum"] == ["upper", "lower"]
    assert properties["deck"]["description"] == "Where to."
    assert properties["counts"]["additionalProperties"] == {"type": "integer"}
    assert properties["tag"] == {"description": "a label", "title": "Tag", "type": "string"}
    assert [option["type"] for option in properties["pair"]["anyOf"]] == ["integer", "string"]
    assert properties["note"]["default"] is None
    assert properties["note"]["description"] == "Anything: at all."
    assert (properties["gentle"]["default"], properties["gentle"]["type"]) == (True, "boolean")


def test_nested_models_keep_their_fields_and_those_of_their_base(tmp_path: Path) -> None:
    crate = _read(tmp_path, TOOLS)["load"].schema["function"]["parameters"]["$defs"]["Crate"]
    assert list(crate["properties"]) == ["name", "kilos", "fragile", "deck"]
    assert crate["required"] == ["name", "kilos"]
    assert crate["properties"]["kilos"] == {"description": "how heavy", "title": "Kilos", "type": "number"}
    assert crate["properties"]["deck"]["default"] == "lower"


def test_enumerations_and_models_that_take_no_other_fields(tmp_path: Path) -> None:
    models = """
class Deck(str, Enum):
    UPPER = "upper"
    LOWER = "lower"

class Box(BaseModelNoExtra):
    deck: Deck = Field(Deck.LOWER, description="where")
"""
    source = "class Tools:\n    @is_tool\n    def stow(self, deck: Union[Deck, str], box: Box): ..."
    (stow,) = _read(tmp_path, source, models).values()
    parameters = stow.schema["function"]["parameters"]
    assert parameters["$defs"]["Deck"] == {"enum": ["upper", "lower"], "title": "Deck", "type": "string"}
    assert parameters["properties"]["deck"]["anyOf"] == [{"$ref": "#/$defs/Deck"}, {"type": "string"}]
    assert parameters["$defs"]["Box"]["additionalProperties"] is False
    assert parameters["$defs"]["Box"]["properties"]["deck"]["default"] == "lower"
    assert stow.complaints({"deck": "middle", "box": {"deck": "upper"}}) == []
    (wrong,) = stow.complaints({"deck": "upper", "box": {"lid": 1}})
    assert "Extra inputs" in wrong


def test_a_tool_without_a_docstring_is_described_by_its_name(tmp_path: Path) -> None:
    function = _read(tmp_path, TOOLS)["wait"].schema["function"]
    assert function["description"] == "wait"
    assert function["parameters"]["properties"] == {"hours": {"title": "Hours"}, "place": {"title": "Place"}}


@pytest.mark.parametrize(
    ("arguments", "complaints"),
    [
        ({"hours": 1, "place": "x"}, []),
        ({"hours": 1}, ["argument place: Field required"]),
        ({"hours": 1, "place": 1, "mood": "?"}, ["unknown argument 'mood'"]),
    ],
)
def test_arguments_are_held_against_the_schema(
    tmp_path: Path, arguments: dict[str, Any], complaints: list[str]
) -> None:
    assert _read(tmp_path, TOOLS)["wait"].complaints(arguments) == complaints


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("x: Nowhere", r"tools.py:4: `Nowhere` is no type"),
        ("x: Unreadable", r"data_model.py:\d+: `some_function\(1\)` is no type"),
        ("x: 'not a type'", r"tools.py:4: `'not a type'` is no type"),
        ("x: Nest", r"data_model.py:\d+: `Nest` is no type"),
        ("x: str[int]", r"tools.py:4: `str\[int\]` is no type"),
        ("x: Set[int]", r"tools.py:4: `Set\[int\]` is no type"),
        ("x: int = now()", r"tools.py:4: expected a plain value, found `now\(\)`"),
        ("x: Literal[now()]", r"tools.py:4: expected a plain value, found `now\(\)`"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, signature: str, message: str) -> None:
    source = f"class Tools:\n    @is_tool\n    def run(self,\n        {signature}):\n        pass\n"
    with pytest.raises(InputError, match=message):
        _read(tmp_path, source)


def test_a_file_that_is_no_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tools.py: cannot be read: .*trialkit data fetch tau2"):
        _read(tmp_path, "class Tools(:")


def test_a_file_without_tools_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tools.py: no method is marked with @is_tool"):
        _read(tmp_path, "class Tools:\n    def run(self): ...\n")


_WORDS = st.text("abcxyz 123,.'()", min_size=1, max_size=30).map(str.strip).filter(bool)
_NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)


@given(
    first=_WORDS,
    rest=st.lists(_WORDS, max_size=3),
    arguments=st.dictionaries(_NAMES, st.lists(_WORDS, min_size=1, max_size=3), max_size=4),
    indent=st.integers(0, 8),
)
def test_a_docstring_is_read_as_it_was_written(
    first: str, rest: list[str], arguments: dict[str, list[str]], indent: int
) -> None:
    lines = [first, *rest, "", "Args:"]
    for name, (head, *more) in arguments.items():
        lines += [f"    {name}: {head}", *(f"        {line}" for line in more)]
    lines += ["", "Returns:", "    str: nothing that counts."]
    doc = read_docstring("\n" + textwrap.indent("\n".join(lines), " " * indent))
    assert doc.description == "\n\n".join(filter(None, [first, "\n".join(rest)]))
    assert doc.arguments == {name: "\n".join(text) for name, text in arguments.items()}
