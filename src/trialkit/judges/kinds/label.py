"""The judge of a classification: one of the classes is found in the answer."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, field_validator

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.alike import alike
from trialkit.text.json import JsonError
from trialkit.text.short import shown
from trialkit.text.template import fill, written
from trialkit.vocabulary import Verdict

from .attempt import Attempt
from .data import json_of
from .kind import JudgeKind, KindSettings, decided
from .paths import at_path, read_path

#: Of these a name may stand inside of other letters: Thai to Khmer, Kana, Chinese have no spaces between words.
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
#: With more classes a column is hardly one of classes, and the report's table of what was taken for what is no table.
_MOST_CLASSES = 100


class LabelSettings(KindSettings):
    value: str = Field(description="the class that is right, such as {{ team }}")
    classes: dict[str, tuple[str, ...]] | None = Field(
        None, description="a list of all classes, or of each the other words for it; else those of all cases"
    )
    path: str | None = Field(None, description="where in the answer's JSON the class stands; else it is looked for")

    @field_validator("classes", mode="before")
    @classmethod
    def _of_a_list(cls, data: Any) -> Any:
        if isinstance(data, list | tuple):
            return {written(one): () for one in data}
        if isinstance(data, Mapping):
            return {key: [words] if isinstance(words, str) else words or () for key, words in data.items()}
        return data

    @field_validator("path")
    @classmethod
    def _can_be_read(cls, path: str | None) -> str | None:
        read_path(path or "$")
        return path


class LabelKind(JudgeKind[LabelSettings]):
    name = "label"
    summary = "The answer names the right class; the report has precision, recall and what was taken for what."
    settings = LabelSettings
    main = "value"

    def classes(self, settings: LabelSettings) -> Sequence[str]:
        return tuple(settings.classes or ())

    def prepared(self, settings: LabelSettings, cases: Sequence[Mapping[str, Any]]) -> LabelSettings:
        classes = settings.classes
        if classes is None:
            classes = dict.fromkeys((fill(settings.value, case).strip() for case in cases), ())
        if len(set(map(_plain, classes))) < 2:
            raise InputError(f"there is but one class, {shown(list(classes))}; list them all in `classes`")
        if len(classes) > _MOST_CLASSES:
            raise InputError(f"{len(classes)} classes, such as {shown(list(classes)[:3])}, are too many to tell apart")
        return settings.model_copy(update={"classes": classes})

    def explain(self, settings: LabelSettings, case: Mapping[str, Any]) -> str:
        truth, classes = _truth(settings, case), ", ".join(settings.classes or ())
        where = f"at {settings.path} of its JSON" if settings.path else "in its last line that names one"
        return f"passes if of the classes {classes} the answer names {truth} {where}"

    async def judge(self, settings: LabelSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        truth = _truth(settings, attempt.case)
        said, why = _at_path(settings, attempt) if settings.path else _last_named(settings, attempt.text)
        told = f"it says {said}" if said else why
        return decided(
            said == truth, told if said == truth else f"{told}, not {truth}", details={"truth": truth, "said": said}
        )


def _truth(settings: LabelSettings, case: Mapping[str, Any]) -> str:
    value = fill(settings.value, case)
    found = _words(settings).get(_plain(value))
    if found is None:
        raise InputError(f"{shown(value)} is none of the classes {', '.join(settings.classes or ()) or '(none)'}")
    return found


def _words(settings: LabelSettings) -> Mapping[str, str]:
    """What may be said → the class that it means."""
    classes = settings.classes or {}
    return {_plain(word): name for name, words in classes.items() for word in (*words, name)}


def _plain(text: str) -> str:
    return " ".join(alike(text).split()).casefold()


def _at_path(settings: LabelSettings, attempt: Attempt) -> tuple[str | None, str]:
    try:
        value = at_path(json_of(attempt), read_path(settings.path or "$"))
    except (JsonError, LookupError) as error:
        return None, f"no class: {error}"
    # what a model writes there may be nested as deeply as it likes: no class is
    text = "" if isinstance(value, dict | list) else written(value)
    return _words(settings).get(_plain(text)), f"no class: it says {shown(value)}"


def _last_named(settings: LabelSettings, text: str) -> tuple[str | None, str]:
    """What the last line that names a class names, if that is one class. A longer name hides those inside of it."""
    words = _words(settings)
    longest_first = sorted(words, key=len, reverse=True)
    pattern = re.compile("|".join(map(_as_word, longest_first)))
    for line in reversed(text.split("\n")):
        named = {words[found] for found in pattern.findall(_plain(line))}
        if named:
            return (named.pop(), "") if len(named) == 1 else (None, f"no class: it names {', '.join(sorted(named))}")
    return None, f"no class in {shown(text)}"


def _as_word(name: str) -> str:
    """A pattern of a name by itself: as _name_ in Markdown, too, but not in pre_name."""
    before = "" if _WITHOUT_SPACES.match(name[0]) else r"(?<![^\W_])(?<![^\W_]_)"
    behind = "" if _WITHOUT_SPACES.match(name[-1]) else r"(?![^\W_]|_[^\W_])"
    return f"{before}{re.escape(name)}{behind}"
