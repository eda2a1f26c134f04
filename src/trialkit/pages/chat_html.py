"""What was said and done as HTML, with tool calls folded."""

from collections.abc import Callable, Iterator

from trialkit.text.json import laid_out
from trialkit.text.short import shortened

from .chat import Chat, ChatPair, ChatStep

#: Of a tool's arguments, while they are folded.
_SHORT = 80
_PARTING = '<tr class="parts"><td colspan="2">Here they part</td></tr>'

Escape = Callable[[str], str]


def chat_html(chat: Chat, escape: Escape) -> str:
    steps = "\n".join(f"<li>{''.join(_step(step, escape))}</li>" for step in chat.steps)
    return f'<ol class="chat">\n{steps}\n</ol>'


def pair_html(pair: ChatPair, escape: Escape) -> str:
    head = f"<thead><tr><th>{escape(pair.left)}</th><th>{escape(pair.right)}</th></tr></thead>"
    rows = "\n".join(
        f"{_PARTING if place == pair.parts_at else ''}<tr>{_side(left, escape)}{_side(right, escape)}</tr>"
        for place, (left, right) in enumerate(pair.rows)
    )
    return f'<div class="wide"><table class="chat">\n{head}\n<tbody>\n{rows}\n</tbody></table></div>'


def _side(step: ChatStep | None, escape: Escape) -> str:
    return "<td></td>" if step is None else f"<td>{''.join(_step(step, escape))}</td>"


def _step(step: ChatStep, escape: Escape) -> Iterator[str]:
    look = "fault" if step.fault else "aside" if step.aside else "user" if step.who == "user" else "said"
    yield f'<div class="step {look}"><span class="dim">{step.number}</span> <b>{escape(step.who)}</b>'
    yield f' <span class="dim">{escape(step.meta)}</span>' if step.meta else ""
    yield f'<div class="text">{escape(step.text)}</div>' if step.text else ""
    for tool in step.tools:
        came = "" if tool.result is None else f"<pre>{escape(laid_out(tool.result))}</pre>"
        shown = f'<code>{escape(tool.name)}</code> <span class="dim">{escape(shortened(tool.arguments, _SHORT))}</span>'
        yield f"<details><summary>{shown}</summary>"
        yield f"<pre>{escape(laid_out(tool.arguments))}</pre>{came}</details>"
    yield "</div>"
