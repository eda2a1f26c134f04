"""What only Gemini's wire format has."""

import json
from typing import Any

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from tests.server import Raw, Say, Server
from trialkit.errors import ModelError
from trialkit.models import (
    Connection,
    Message,
    ModelSpec,
    Reasoning,
    Reply,
    Request,
    Tool,
    ToolCall,
    Traffic,
    open_model,
)
from trialkit.models.protocols import ModelAddress, NothingUsableError
from trialkit.models.protocols.gemini import GEMINI

TO = ModelAddress(base=GEMINI.base, model="gemini-3-pro")
USER = HELLO.messages[0]


def contents(*messages: Message) -> Any:
    return GEMINI.fields(Request(messages=messages), TO)["contents"]


def candidate(*parts: Any, **said: Any) -> Reply:
    return GEMINI.reply({"candidates": [{"content": {"parts": list(parts)}, "finishReason": "STOP", **said}]})


def test_parts_that_are_signed_go_back_as_they_came() -> None:
    parts: list[Any] = [
        {"text": "hm", "thought": True},
        {"text": "One, "},
        {"text": "two.", "thoughtSignature": "c2lnbmVk"},
        {"functionCall": {"name": "look", "args": {"at": 1}}, "thoughtSignature": "bW9yZQ=="},
        {"functionCall": {"name": "look", "args": {"at": 2}}},
    ]
    reply = candidate(*parts)
    assert (reply.text, len(reply.tool_calls), reply.stop) == ("One, two.", 2, "tools")
    said = Message(role="assistant", text=reply.text, tool_calls=reply.tool_calls, state=reply.state)
    results = [Message(role="tool", text="ok", tool_call_id=call.id) for call in reply.tool_calls]
    asked, answered, returned = contents(USER, said, *results)
    ids = [call.id for call in reply.tool_calls]
    for part, name in zip(parts[3:], ids, strict=True):
        part["functionCall"]["id"] = name
    assert (asked["role"], answered) == ("user", {"role": "model", "parts": parts})
    assert [part["functionResponse"]["id"] for part in returned["parts"]] == ids
    assert {part["functionResponse"]["name"] for part in returned["parts"]} == {"look"}


def test_results_are_of_the_calls_before_them() -> None:
    """Where none had an id, each reply's calls are counted from the first."""
    said: list[Message] = []
    for name in ("look", "book"):
        call = ToolCall(id="call_0", name=name, arguments="{}")
        said += [Message(role="assistant", tool_calls=(call,)), Message(role="tool", text="ok", tool_call_id="call_0")]
    results = [part["functionResponse"] for turn in contents(USER, *said)[2::2] for part in turn["parts"]]
    assert [one["name"] for one in results] == ["look", "book"]


def test_a_reply_that_was_changed_goes_without_its_signatures() -> None:
    reply = candidate({"text": "One, two.", "thoughtSignature": "c2lnbmVk"})
    _, said = contents(USER, Message(role="assistant", text="One.", state=reply.state))
    assert said == {"role": "model", "parts": [{"text": "One."}]}


def test_no_turn_is_empty_and_the_user_begins() -> None:
    said = contents(Message(role="assistant", text="Hello?"), USER, USER, Message(role="assistant"))
    assert [turn["role"] for turn in said] == ["user", "model", "user", "model"]
    assert [len(turn["parts"]) for turn in said] == [1, 1, 2, 1]


def test_arguments_that_are_no_object_go_back_as_text() -> None:
    call = ToolCall(id="a", name="look", arguments="[1,")
    _, said = contents(USER, Message(role="assistant", tool_calls=(call,)))
    assert said["parts"][0]["functionCall"]["args"] == {"arguments": "[1,"}


def test_a_schema_beside_tools_is_told_in_words() -> None:
    tool = Tool(name="look", description="", parameters={"type": "object"})
    request = Request(messages=HELLO.messages, tools=(tool,), output={"type": "object"})
    assert GEMINI.fitted(request).output is None
    assert "fits this JSON schema" in GEMINI.fitted(request).messages[0].text


@pytest.mark.parametrize(
    ("model", "reasoning", "config"),
    [
        ("gemini-2.5-pro", "medium", {"thinkingBudget": 8192}),
        ("gemini-2.5-pro", 500, {"thinkingBudget": 500}),
        ("gemini-3-pro", "medium", {"thinkingLevel": "MEDIUM"}),
        ("gemini-3-pro", 500, {"thinkingBudget": 500}),
    ],
)
def test_how_much_it_thinks(model: str, reasoning: Reasoning, config: object) -> None:
    request = Request(messages=HELLO.messages, reasoning=reasoning)
    fields: Any = GEMINI.fields(request, ModelAddress(base=GEMINI.base, model=model))
    assert fields["generationConfig"] == {"thinkingConfig": config}


@pytest.mark.parametrize(
    ("ended", "stop"),
    [("MAX_TOKENS", "length"), ("SPII", "filter"), ("IMAGE_SAFETY", "filter"), ("OTHER", "other"), ("NEWER", "other")],
)
def test_how_an_answer_ended(ended: str, stop: str) -> None:
    assert candidate({"text": "a"}, finishReason=ended).stop == stop


def test_a_call_that_could_not_be_read_is_what_the_model_said() -> None:
    told = "Malformed function call: print(look(at=1)"
    reply = candidate(finishReason="MALFORMED_FUNCTION_CALL", finishMessage=told)
    assert (reply.text, reply.tool_calls, reply.stop) == (told, (), "other")


@pytest.mark.parametrize("data", [{}, {"promptFeedback": {"safetyRatings": []}}, {"candidates": [{"index": 0}]}])
def test_nothing_usable(data: Any) -> None:
    with pytest.raises(NothingUsableError):
        GEMINI.reply(data)


def test_thoughts_and_what_googles_tools_put_in_are_counted() -> None:
    told = {"promptTokenCount": 10, "toolUsePromptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 4}
    usage = GEMINI.usage({"usageMetadata": {**told, "cachedContentTokenCount": 8}})
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (15, 7, 8)
    assert GEMINI.usage({"usageMetadata": {**told, "promptTokenCount": "ten"}}) is None
    assert GEMINI.usage({}) is None


def connection(server: Server, waits: Waits, retries: int = 3) -> Connection:
    spec = ModelSpec(name="gemini/gemini-2.5-pro", api_base=server.base("gemini"), retries=retries)
    return open_model(spec, Traffic(10, sleep=waits, uniform=lambda _low, high: high))


def limit(quota: str) -> Raw:
    details = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
    ]
    told = {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED"}
    return Raw(body=json.dumps({"error": {**told, "details": details}}).encode(), status=429)


async def test_the_wait_that_the_body_asks_for(server: Server, waits: Waits) -> None:
    server.behave(limit("GenerateRequestsPerMinutePerProjectPerModel"), Say(text="now"))
    model = connection(server, waits)
    assert (await model(HELLO)).reply.text == "now"
    await model.aclose()
    assert waits == [34.5]


async def test_what_is_used_up_for_today_is_not_waited_for(server: Server, waits: Waits) -> None:
    server.behave(limit("GenerateRequestsPerDayPerProjectPerModel-FreeTier"))
    model = connection(server, waits)
    with pytest.raises(ModelError) as caught:
        await model(HELLO)
    await model.aclose()
    assert (caught.value.kind, len(server.requests)) == ("quota", 1)


async def test_a_question_that_was_blocked_is_no_reply(server: Server, waits: Waits) -> None:
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}}
    server.behave(Raw(body=json.dumps(blocked).encode()))
    model = connection(server, waits)
    with pytest.raises(ModelError, match="withheld the reply") as caught:
        await model(HELLO)
    await model.aclose()
    assert (caught.value.kind, caught.value.usage and caught.value.usage.input_tokens) == ("content_filter", 9)
