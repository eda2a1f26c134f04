"""Pictures of the viewer's pages for docs/screenshots: `uv run --group browser scripts/screenshots.py`, with chromium.

What they show are real runs, of an invented shop: trialkit plays a model that is a few lines of this file, offline.
"""

import json
import random
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

import trialkit
from trialkit.models import Message, Reply, Request, ToolCall
from trialkit.runfile import Label, RecordedTrial, RunFile, write_labels
from trialkit.web import Address, Following, Guard, Shelf, build, server_of

DOCS = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
STARTER = Path(trialkit.__file__).parent / "suites" / "files" / "starters" / "tools"
SIZES = {"": (1180, 720, "light"), "-dark": (1180, 720, "dark"), "-phone": (390, 700, "light")}
STATES = ("on its way, due tomorrow", "delivered", "not sent yet")
SYSTEM = "Help with orders. Look an order up before you do anything about it."
BETTER = f"{SYSTEM}\nRefund only what was delivered.\nSay what you have done in one sentence."
CASES = 24
PACK = """async png => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const packed = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality: 0.45})).arrayBuffer());
  return btoa(packed.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}"""


def suite(folder: Path, system: str) -> Path:
    """Orders in three states, each asked about in one of two ways."""
    orders = {str(1001 + place): STATES[place % 3] for place in range(CASES)}
    tools = (STARTER / "shop_tools.py").read_text()
    begin, end = tools.index("ORDERS = "), tools.index("\n", tools.index("ORDERS = "))
    (folder / "shop_tools.py").write_text(f"{tools[:begin]}ORDERS = {json.dumps(orders)}{tools[end:]}")
    (folder / "shop_judges.py").write_text((STARTER / "shop_judges.py").read_text())
    cases = [
        {
            "id": f"order {order}",
            "text": f"Order {order} arrived broken. I want my money back." if place % 2 else f"Where is order {order}?",
            "order": order,
            "refunded": bool(place % 2) and state == "delivered",
        }
        for place, (order, state) in enumerate(orders.items())
    ]
    document = {
        "cases": cases,
        "system": system,
        "prompt": "{{ text }}",
        "tools": "shop_tools.py",
        "max_steps": 6,
        "judges": {
            "refunds rightly": {"python": "shop_judges.py:refunds_rightly"},
            "looks first": {"tool_call": ["look_up_order"]},
        },
    }
    path = folder / "orders.yaml"
    path.write_text(json.dumps(document, indent=1))
    return path


def shopkeeper(slips: float) -> Callable[[Request], Reply]:
    """Pays without looking, or whatever it is asked, as often as `slips` says."""

    def answer(request: Request) -> Reply:
        asked = next(one.text for one in request.messages if one.role == "user")
        order = next(word for word in asked.replace("?", "").split() if word.isdecimal())
        draw = random.Random(f"{slips} {asked} {request.seed}").random()  # noqa: S311 - not a secret
        return _next(request.messages[-1], order, wants="money" in asked, hasty=draw < slips, sloppy=draw < slips / 2)

    return answer


def _next(last: Message, order: str, *, wants: bool, hasty: bool, sloppy: bool) -> Reply:
    if last.role == "user":
        return _calls("refund" if hasty and wants else "look_up_order", order)
    if "refunded" in last.text:
        return Reply(text=f"Your money for order {order} is on its way back.")
    if wants and (last.text == STATES[1] or sloppy):
        return Reply(
            tool_calls=(ToolCall(id="2", name="refund", arguments=json.dumps({"order": order})),), stop="tools"
        )
    return Reply(text=f"Order {order}: {last.text}.")


def _calls(tool: str, order: str) -> Reply:
    return Reply(tool_calls=(ToolCall(id="1", name=tool, arguments=json.dumps({"order": order})),), stop="tools")


def runs(folder: Path) -> list[str]:
    """Their files' names, the oldest first."""
    made: list[Path] = []
    for name, slips, system in (
        ("first", 0.5, SYSTEM),
        ("asks back", 0.4, SYSTEM),
        ("rules", 0.15, BETTER),
        ("rules again", 0.15, BETTER),
    ):
        with trialkit.ScriptedModel(shopkeeper(slips), "shopkeeper") as model:
            settings = {"model": model.name, "trials": 5, "seed": len(made), "name": name, "tags": ["branch=main"]}
            made.append(trialkit.run(suite(folder, system), output_dir=folder / "runs", **settings).path)
    with RunFile(made[-1]) as run:
        ended = run.trials()
    drawn = random.Random(1).sample(  # noqa: S311 - likewise
        [one for one in ended if one.outcome in {"pass", "fail"}], 30
    )
    labels = [(one.id, _label(one.outcome == "pass", one.id)) for one in drawn[:24]]
    write_labels(made[-1], labels, {one.id: "random" for one in drawn})
    return [path.name for path in made]


def _label(passed: bool, trial: int) -> Label:
    said = passed if trial % 9 else not passed
    return Label(annotator="Kim", outcome="pass" if said else "fail", critique="" if said == passed else "I disagree.")


@contextmanager
def viewer(folder: Path) -> Iterator[str]:
    address = Address.bound("127.0.0.1", 0)
    shelf = Shelf(folder=folder)
    live = Following(shelf)
    server = server_of(build(shelf, Guard(hosts=address.hosts()), live), live.close)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]})
    thread.start()
    yield address.url("")
    server.should_exit = True
    thread.join()


def pictures(browser: Browser, base: str, names: list[str], failed: RecordedTrial) -> None:
    first, last = names[0], names[-1]
    pages = {
        "runs": "/?suite=orders",
        "run": f"/run?run={last}",
        "trials": f"/run?run={first}#trials",
        "trial": f"/trial?run={first}&show=fail&{urlencode({'case': failed.case_id, 'trial': failed.number})}",
        "compare": f"/compare?run={first}&run={last}",
        "pair": f"/pair?a={first}&b={last}&{urlencode({'case': failed.case_id, 'trial': failed.number})}",
        "align": f"/align?run={last}",
        "prompts": "/prompts?suite=orders&role=system",
        "label": f"/label?run={last}&by=Kim",
    }
    for kind, (width, height, scheme) in SIZES.items():
        context = browser.new_context(
            base_url=base,
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page, packer = context.new_page(), context.new_page()
        page.bring_to_front()
        for name, path in pages.items():
            page.goto(path)
            page.wait_for_timeout(300)
            (DOCS / f"{name}{kind}.webp").write_bytes(small(packer, page.screenshot()))
        context.close()


def small(packer: Page, png: bytes) -> bytes:
    """The picture as WebP, which chromium writes: a quarter of the size."""
    return b64decode(packer.evaluate(PACK, b64encode(png).decode()))


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = runs(folder)
        with RunFile(folder / "runs" / names[0]) as run:
            failed = next(one for one in run.trials() if one.outcome == "fail")
        with viewer(folder / "runs") as base, sync_playwright() as playwright:
            arguments = ["--no-sandbox", "--hide-scrollbars"]
            browser = playwright.chromium.launch(executable_path=which("chromium"), args=arguments)
            pictures(browser, base, names, failed)
            browser.close()


if __name__ == "__main__":
    main()
