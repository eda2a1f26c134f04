"""Anthropic's Messages, as the SDK `anthropic` has them."""

from typing import Any, get_type_hints

from hypothesis import strategies as st

from tests.models.sdk.oracle import Meaning, Oracle
from trialkit.models import StopReason
from trialkit.models.protocols.anthropic import ANTHROPIC

_STOPS: dict[str | None, StopReason] = {
    "end_turn": "end",
    "max_tokens": "length",
    "stop_sequence": "end",
    "tool_use": "tools",
    "pause_turn": "other",
    "refusal": "filter",
    "model_context_window_exceeded": "length",
    None: "other",
}
_TEXT = st.text(max_size=12)
_COUNT = st.integers(0, 10**6)


#: What version 2023-06-01 of the API takes, which we speak; the SDK dropped them with 2026-10-21.
_SAMPLING = {"temperature": float, "top_p": float}


class Messages(Oracle):
    protocol = ANTHROPIC
    package = "anthropic.types"

    def request(self) -> Any:
        known = self.types(".message_create_params").MessageCreateParamsNonStreaming
        return self.typed_dict(
            "Body", {**get_type_hints(known, include_extras=True), **_SAMPLING, "stream": bool}, total=False
        )

    def event(self) -> Any:
        return self.types().RawMessageStreamEvent

    def replies(self) -> st.SearchStrategy[Any]:
        types = self.types()
        arguments = st.dictionaries(_TEXT, _COUNT | _TEXT, max_size=2)
        block = st.one_of(
            st.builds(types.TextBlock, type=st.just("text"), text=_TEXT),
            st.builds(types.ThinkingBlock, type=st.just("thinking"), thinking=_TEXT, signature=_TEXT),
            st.builds(types.RedactedThinkingBlock, type=st.just("redacted_thinking"), data=_TEXT),
            st.builds(
                types.ToolUseBlock,
                id=st.uuids().map(str),
                type=st.just("tool_use"),
                name=st.sampled_from(["look", "book"]),
                input=arguments,
            ),
        )
        usage = st.builds(
            types.Usage,
            input_tokens=_COUNT,
            output_tokens=_COUNT,
            cache_read_input_tokens=st.none() | _COUNT,
            cache_creation_input_tokens=st.none() | _COUNT,
        )
        return st.builds(
            types.Message,
            id=_TEXT,
            content=st.lists(block, max_size=5),
            model=_TEXT,
            role=st.just("assistant"),
            stop_reason=st.sampled_from([*_STOPS]),
            type=st.just("message"),
            usage=usage,
        )

    def meaning(self, reply: Any) -> Meaning:
        usage = reply.usage
        read, write = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        return Meaning(
            text="".join(block.text for block in reply.content if block.type == "text"),
            calls=[(block.id, block.name, block.input) for block in reply.content if block.type == "tool_use"],
            stop=_STOPS[reply.stop_reason],
            tokens=(usage.input_tokens + read + write, usage.output_tokens, read, write),
        )
