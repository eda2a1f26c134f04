// The same agent as agent.py, for Node 18 or newer.
import { createInterface } from "node:readline";

let settings, messages, tools;

async function ask() {
  const body = { model: settings.model.replace(/^[^/]*\//, ""), messages, tools, temperature: settings.temperature };
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${process.env.OPENAI_API_KEY ?? "none"}` };
  const url = `${settings.api_base ?? "https://api.openai.com/v1"}/chat/completions`;
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function answer(told) {
  if (told.type === "end") return { type: "ended" };
  if (told.type === "start") {
    settings = told.settings;
    messages = [{ role: "system", content: told.policy }];
    tools = told.tools.map((tool) => ({ type: "function", function: tool }));
    return { type: "ready", protocol: 1, name: "example-node", version: "1" };
  }
  if (told.type === "user") messages.push({ role: "user", content: told.text });
  else messages.push(...told.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })));
  const reply = await ask();
  const move = reply.choices[0].message;
  const calls = (move.tool_calls ?? []).slice(0, 1);
  messages.push(calls.length ? { ...move, tool_calls: calls } : move);
  const usage = { input_tokens: reply.usage.prompt_tokens, output_tokens: reply.usage.completion_tokens };
  if (!calls.length) return { type: "reply", text: move.content, usage };
  return { type: "calls", calls: calls.map((call) => ({ id: call.id, ...call.function })), usage };
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  console.log(JSON.stringify({ ...(await answer(told)), n: told.n }));
}
