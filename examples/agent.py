"""An agent for trialkit: JSON lines on stdin and stdout. It asks any OpenAI-compatible server for its moves."""

import json
import os
import sys
from urllib.request import Request, urlopen


def ask(settings, messages, tools):
    body = {"model": settings["model"].split("/", 1)[-1], "messages": messages, "tools": tools}
    body["temperature"] = settings["temperature"]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
    with urlopen(Request(settings["api_base"] + "/chat/completions", json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "start":
        settings, messages = told["settings"], [{"role": "system", "content": told["policy"]}]
        tools = [{"type": "function", "function": tool} for tool in told["tools"]]
        answer = {"type": "ready", "protocol": 1, "name": "example", "version": "1"}
    elif told["type"] == "end":
        answer = {"type": "ended"}
    else:
        said = [{"role": "user", "content": told["text"]}] if told["type"] == "user" else [
            {"role": "tool", "tool_call_id": result["id"], "content": result["text"]} for result in told["results"]
        ]
        reply = ask(settings, messages + said, tools)
        move = reply["choices"][0]["message"]
        calls = (move.get("tool_calls") or [])[:1]
        messages += [*said, {**move, "tool_calls": calls} if calls else move]
        functions = [{"id": call["id"], **call["function"]} for call in calls]
        answer = {"type": "calls", "calls": functions} if calls else {"type": "reply", "text": move["content"]}
        usage = reply["usage"]
        answer["usage"] = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    print(json.dumps({**answer, "n": told["n"]}), flush=True)
