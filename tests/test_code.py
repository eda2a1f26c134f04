import sys
from pathlib import Path

import pytest

from trialkit.code import load_object
from trialkit.errors import InputError


def test_an_object_of_a_file_and_what_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside_it.py").write_text("SAID = 'hello'")
    (tmp_path / "own.py").write_text("from beside_it import SAID\ndef say(): return SAID")
    say = load_object("own.py:say", "tools", tmp_path)
    assert say() == "hello"
    assert load_object("own.py:say", "judges", tmp_path) is say
    assert load_object("beside_it:SAID", "tools", tmp_path) == "hello"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("own.py", "tools: 'own.py' names no Python object; write FILE.py:NAME or MODULE:NAME"),
        ("own.py:sai", "tools: own.py has no sai; did you mean say?"),
        ("none.py:say", "tools: there is no file "),
        ("no_such_module:say", "ModuleNotFoundError"),
        ("broken.py:say", "cannot be loaded: SyntaxError"),
        ("failing.py:say", "cannot be loaded: ZeroDivisionError: division by zero (failing.py:2)"),
        ("leaving.py:say", "cannot be loaded: SystemExit: 3 (leaving.py:2)"),
    ],
)
def test_what_cannot_be_had_is_told(named: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own.py").write_text("def say(): return 1")
    (tmp_path / "broken.py").write_text("def say(:")
    (tmp_path / "failing.py").write_text("x = 1\nx / 0")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(3)")
    with pytest.raises(InputError) as raised:
        load_object(named, "tools", tmp_path)
    assert said in str(raised.value)
