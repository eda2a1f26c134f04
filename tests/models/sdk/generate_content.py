"""Gemini's generateContent, as the SDK `google-genai` has it."""

from typing import Any, Required

from hypothesis import strategies as st

from tests.models.sdk.oracle import Meaning, Oracle
from trialkit.models import StopReason
from trialkit.models.protocols.gemini import GEMINI

_STOPS: dict[str, StopReason] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "RECITATION": "filter",
    "LANGUAGE": "filter",
    "BLOCKLIST": "filter",
    "PROHIBITED_CONTENT": "filter",
    "SPII": "filter",
    "MODEL_ARMOR": "filter",
    "IMAGE_SAFETY": "filter",
    "MALFORMED_FUNCTION_CALL": "other",
    "UNEXPECTED_TOOL_CALL": "other",
    "OTHER": "other",
}
_LIST: Any = list
_NEEDED: Any = Required
_TEXT = st.text(max_size=12)
_COUNT = st.none() | st.integers(0, 10**6)


class GenerateContent(Oracle):
    protocol = GEMINI
    package = "google.genai.types"
    leaves_out_none = True

    def request(self) -> Any:
        types = self.types()
        return self.typed_dict(
            "Body",
            {
                "contents": _NEEDED[_LIST[types.Content]],
                "generationConfig": types.GenerationConfig,
                "systemInstruction": types.Content,
                "toolConfig": types.ToolConfig,
                "tools": _LIST[types.Tool],
            },
            total=False,
        )

    def replies(self) -> st.SearchStrategy[Any]:
        types = self.types()
        signed = {"thought_signature": st.none() | st.binary(max_size=6)}
        arguments = st.dictionaries(_TEXT, st.integers() | _TEXT, max_size=2)
        call = st.builds(types.FunctionCall, id=st.none() | st.uuids().map(str), name=st.just("look"), args=arguments)
        part = st.one_of(
            st.builds(types.Part, text=_TEXT, thought=st.sampled_from([None, True]), **signed),
            st.builds(types.Part, function_call=call, **signed),
        )
        content = st.builds(types.Content, role=st.just("model"), parts=st.lists(part, min_size=1, max_size=4))
        ended = st.sampled_from([*_STOPS]).map(types.FinishReason)
        usage = st.builds(
            types.GenerateContentResponseUsageMetadata,
            prompt_token_count=st.integers(1000, 10**6),
            tool_use_prompt_token_count=_COUNT,
            candidates_token_count=_COUNT,
            thoughts_token_count=_COUNT,
            cached_content_token_count=st.none() | st.integers(0, 1000),
        )
        return st.builds(
            types.GenerateContentResponse,
            candidates=st.builds(types.Candidate, content=content, finish_reason=ended).map(lambda one: [one]),
            usage_metadata=st.none() | usage,
            model_version=_TEXT,
        )

    def meaning(self, reply: Any) -> Meaning:
        candidate, usage = reply.candidates[0], reply.usage_metadata
        parts = candidate.content.parts
        called = [part.function_call for part in parts if part.function_call]
        stop = _STOPS[candidate.finish_reason.name]
        return Meaning(
            text="".join(part.text for part in parts if part.text and not part.thought),
            calls=[(one.id or f"call_{number}", one.name, one.args) for number, one in enumerate(called)],
            stop="tools" if called and stop == "end" else stop,
            tokens=usage
            and (
                usage.prompt_token_count + (usage.tool_use_prompt_token_count or 0),
                (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
                usage.cached_content_token_count or 0,
                0,
            ),
        )
