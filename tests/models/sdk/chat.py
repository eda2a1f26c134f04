"""OpenAI's Chat Completions, as the SDK `openai` has them."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.models.sdk.oracle import Meaning, Oracle
from trialkit.models import StopReason
from trialkit.models.protocols.openai import OPENAI

_STOPS: dict[str, StopReason] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tools",
    "content_filter": "filter",
    "function_call": "tools",
}
_TEXT = st.text(max_size=12)
_COUNT = st.integers(0, 10**6)


class Chat(Oracle):
    protocol = OPENAI
    package = "openai.types"

    def request(self) -> Any:
        return self.types(".chat.completion_create_params").CompletionCreateParams

    def event(self) -> Any:
        return self.types(".chat").ChatCompletionChunk

    def replies(self) -> st.SearchStrategy[Any]:
        chat, tokens = self.types(".chat"), self.types(".completion_usage")
        written = st.dictionaries(_TEXT, _COUNT, max_size=2).map(json.dumps) | _TEXT
        function = st.builds(
            chat.ChatCompletionMessageFunctionToolCall,
            id=st.uuids().map(str),
            type=st.just("function"),
            function=st.fixed_dictionaries({"name": st.sampled_from(["look", "book"]), "arguments": written}),
        )
        custom = st.builds(
            chat.ChatCompletionMessageCustomToolCall,
            id=st.uuids().map(str),
            type=st.just("custom"),
            custom=st.fixed_dictionaries({"name": st.just("write"), "input": _TEXT}),
        )
        message = st.builds(
            chat.ChatCompletionMessage,
            role=st.just("assistant"),
            content=st.none() | _TEXT,
            refusal=st.none() | _TEXT,
            tool_calls=st.none() | st.lists(function | custom, max_size=3),
        )
        choice = st.fixed_dictionaries(
            {"index": st.just(0), "finish_reason": st.sampled_from([*_STOPS]), "message": message}
        )
        given = st.builds(
            tokens.PromptTokensDetails,
            cached_tokens=st.none() | st.integers(0, 500),
            cache_write_tokens=st.none() | st.integers(0, 500),
        )
        usage = st.builds(
            tokens.CompletionUsage,
            prompt_tokens=st.integers(1000, 10**6),
            completion_tokens=_COUNT,
            total_tokens=_COUNT,
            prompt_tokens_details=st.none() | given,
        )
        return st.builds(
            chat.ChatCompletion,
            id=_TEXT,
            choices=st.tuples(choice).map(list),
            created=_COUNT,
            model=_TEXT,
            object=st.just("chat.completion"),
            usage=st.none() | usage,
        )

    def meaning(self, reply: Any) -> Meaning:
        choice, usage = reply.choices[0], reply.usage
        message, details = choice.message, usage and usage.prompt_tokens_details
        calls = [_call(one) for one in message.tool_calls or []]
        stop = _STOPS[choice.finish_reason]
        return Meaning(
            text=message.content or message.refusal or "",
            calls=calls,
            stop="filter" if message.refusal else "tools" if calls and stop == "end" else stop,
            tokens=usage
            and (
                usage.prompt_tokens,
                usage.completion_tokens,
                (details and details.cached_tokens) or 0,
                (details and details.cache_write_tokens) or 0,
            ),
        )


def _call(call: Any) -> tuple[str, str, Any]:
    if call.type == "custom":
        return call.id, call.custom.name, call.custom.input
    return call.id, call.function.name, call.function.arguments
