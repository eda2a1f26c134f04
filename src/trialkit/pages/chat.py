"""What was said and done, step by step: a part of a page."""

from dataclasses import dataclass

from trialkit.text.shown import visible

_WIDTH = 80  # of a line that has no end


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatTool:
    """A tool that was called, as it was written, and what came back."""

    name: str
    arguments: str
    result: str | None = None  # None: it is the answer itself, or it was never executed


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatStep:
    number: int
    who: str
    text: str
    tools: tuple[ChatTool, ...] = ()
    meta: str = ""  # what it took: seconds, tokens, dollars
    aside: bool = False  # no words of the conversation: a rule that was applied, a question to a judge
    fault: bool = False

    def data(self) -> dict[str, object]:
        tools = [{"name": tool.name, "arguments": tool.arguments, "result": tool.result} for tool in self.tools]
        return {"step": self.number, "who": self.who, "text": self.text, "tools": tools}


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    steps: tuple[ChatStep, ...]
    lines: int | None = None  # of a text, as a terminal shows it; None: all

    def cut(self, text: str) -> str:
        """As a terminal shows it: strangers' words, and of many lines the first few."""
        whole = text.strip("\n")
        if self.lines is None:
            return visible(whole, keep="\n")
        start = "\n".join(whole[: self.lines * _WIDTH].split("\n")[: self.lines])
        rest = len(whole) - len(start)
        return visible(start, keep="\n") + (f" … {rest:,} more characters" if rest else "")


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatPair:
    """Two of them side by side, a row for each step of either; None: the other has no such step."""

    left: str
    right: str
    rows: tuple[tuple[ChatStep | None, ChatStep | None], ...]
    parts_at: int | None  # the row where they are no longer the same; None: they are throughout
    lines: int | None = None


def same_so_far(pair: ChatPair) -> Chat:
    return Chat(steps=tuple(left for left, _ in pair.rows[: pair.parts_at] if left is not None), lines=pair.lines)
