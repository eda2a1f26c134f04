"""The last touches to a reply, whichever client read it."""

import pytest

from trialkit.errors import ModelError
from trialkit.models import Reply, Secrets, ToolCall, Usage
from trialkit.models.reply import LONGEST_BODY, finished


@pytest.mark.parametrize("arguments", ["", "x"])
def test_a_reply_that_is_too_long_is_malformed_and_paid_for(arguments: str) -> None:
    """LiteLLM reads a body itself, of any size."""
    text = "x" * (LONGEST_BODY + 1 - len(arguments))
    reply = Reply(text=text, tool_calls=(ToolCall(id="1", name="f", arguments=arguments),))
    usage = Usage(input_tokens=1, output_tokens=2)
    with pytest.raises(ModelError, match="a reply of more than 32 MB came") as caught:
        finished(reply, usage, 0.5, Secrets())
    assert (caught.value.kind, caught.value.usage, caught.value.cost) == ("bad_reply", usage, 0.5)
