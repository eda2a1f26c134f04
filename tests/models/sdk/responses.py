"""OpenAI's Responses, as the SDK `openai` has them."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.models.sdk.oracle import Meaning, Oracle
from trialkit.models import StopReason
from trialkit.models.protocols.responses import RESPONSES

_CUT: dict[str, StopReason] = {"max_output_tokens": "length", "content_filter": "filter"}
_TEXT = st.text(max_size=12)
_COUNT = st.integers(0, 10**6)


class Responses(Oracle):
    protocol = RESPONSES
    package = "openai.types"
    model = "gpt-5"

    def request(self) -> Any:
        return self.types(".responses.response_create_params").ResponseCreateParams

    def replies(self) -> st.SearchStrategy[Any]:
        types, usages = self.types(".responses"), self.types(".responses.response_usage")
        texts = st.builds(types.ResponseOutputText, text=_TEXT, type=st.just("output_text"), annotations=st.just([]))
        refusals = st.builds(types.ResponseOutputRefusal, refusal=_TEXT, type=st.just("refusal"))
        item = st.one_of(
            st.builds(
                types.ResponseOutputMessage,
                id=_TEXT,
                content=st.lists(texts | texts | refusals, max_size=2),
                role=st.just("assistant"),
                status=st.just("completed"),
                type=st.just("message"),
                phase=st.sampled_from([None, "commentary"]),
            ),
            st.builds(
                types.ResponseReasoningItem,
                id=_TEXT,
                summary=st.just([]),
                type=st.just("reasoning"),
                encrypted_content=st.none() | _TEXT,
            ),
            st.builds(
                types.ResponseFunctionToolCall,
                arguments=st.dictionaries(_TEXT, _COUNT, max_size=2).map(json.dumps) | _TEXT,
                call_id=st.uuids().map(str),
                name=st.sampled_from(["look", "book"]),
                type=st.just("function_call"),
                status=st.sampled_from([None, "completed"]),
            ),
        )
        tokens = st.builds(
            usages.ResponseUsage,
            input_tokens=st.integers(1000, 10**6),
            input_tokens_details=st.fixed_dictionaries(
                {"cached_tokens": st.integers(0, 500), "cache_write_tokens": st.integers(0, 500)}
            ),
            output_tokens=_COUNT,
            output_tokens_details=st.fixed_dictionaries({"reasoning_tokens": _COUNT}),
            total_tokens=_COUNT,
        )
        ended = st.sampled_from([("completed", None), *(("incomplete", {"reason": reason}) for reason in _CUT)])
        return st.builds(
            lambda end, **told: types.Response(status=end[0], incomplete_details=end[1], **told),
            end=ended,
            id=_TEXT,
            created_at=_COUNT,
            model=_TEXT,
            object=st.just("response"),
            output=st.lists(item, max_size=4),
            parallel_tool_calls=st.just(True),
            tool_choice=st.just("auto"),
            tools=st.just([]),
            usage=st.none() | tokens,
        )

    def meaning(self, reply: Any) -> Meaning:
        calls = [(one.call_id, one.name, one.arguments) for one in reply.output if one.type == "function_call"]
        parts = [part for one in reply.output if one.type == "message" for part in one.content]
        refusal = "".join(part.refusal for part in parts if part.type == "refusal")
        stop: StopReason = "tools" if calls else "end"
        if reply.incomplete_details:
            stop = _CUT[reply.incomplete_details.reason]
        usage = reply.usage
        return Meaning(
            text=reply.output_text or refusal,
            calls=calls,
            stop="filter" if refusal else stop,
            tokens=usage
            and (
                usage.input_tokens,
                usage.output_tokens,
                usage.input_tokens_details.cached_tokens,
                usage.input_tokens_details.cache_write_tokens,
            ),
        )
