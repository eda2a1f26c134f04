# ruff: noqa: S310, T201
"""An agent for trialkit: JSON lines on stdin and stdout. It asks any OpenAI-compatible server for its moves."""

import json
import os
import sys
from urllib.request import Request, urlopen

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "start":
        settings, messages = told["settings"], [{"role": "system", "content": told["policy"]}]
        tools = [{"type": "function", "function": tool} for tool in told["tools"]]
        answer = {"type": "ready", "protocol": 1, "name": "example", "version": "1"}
    elif told["type"] == "end":
        answer = {"type": "ended"}
    else:
        results = [{"role": "tool", "tool_call_id": r["id"], "content": r["text"]} for r in told.get("results", [])]
        messages += results or [{"role": "user", "content": told["text"]}]
        body = {"model": settings["model"].split("/", 1)[-1], "messages": messages, "tools": tools}
        body["temperature"] = settings["temperature"]
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY')}"}
        url = (settings["api_base"] or "https://api.openai.com/v1") + "/chat/completions"
        with urlopen(Request(url, json.dumps(body).encode(), headers)) as reply:
            said = json.load(reply)
        move, usage = said["choices"][0]["message"], said["usage"]
        move["tool_calls"] = (move.get("tool_calls") or [])[:1]  # tau-bench executes one call at a time
        messages.append(move if move["tool_calls"] else {"role": "assistant", "content": move["content"]})
        calls = [{"id": call["id"], **call["function"]} for call in move["tool_calls"]]
        answer = {"type": "calls", "calls": calls} if calls else {"type": "reply", "text": move["content"]}
        answer["usage"] = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    print(json.dumps({**answer, "n": told["n"]}), flush=True)
