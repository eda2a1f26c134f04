// A run under way, followed as long as somebody looks: a page that is not seen asks for nothing.
"use strict";

const live = document.getElementById("live");
const [progress, controls, status] = live ? live.children : [];
let source = null, controlled = "", seen = null, waiting = 0, due = 0, took = 0;

/** A stream of its own for each page that is seen: browsers allow a server six. */
function follow() {
  if (source || document.hidden) return;
  const {run, case: id, trial} = live.dataset;
  source = new EventSource(`/live?${new URLSearchParams(id === undefined ? {run} : {run, case: id, trial})}`);
  source.addEventListener("run", event => told(JSON.parse(event.data)));
  source.addEventListener("steps", event => steps(JSON.parse(event.data)));
  source.addEventListener("gone", event => { leave(); status.textContent = JSON.parse(event.data).told; live.hidden = false; });
}

function leave() {
  source?.close();
  source = null;
}

function told(run) {
  const quiet = "quiet" in live.dataset;
  progress.innerHTML = run.progress; // all that strangers wrote is escaped in it
  if (controlled !== run.controls) controls.innerHTML = controlled = run.controls;
  live.hidden = quiet || (run.state === "done" && !controls.childElementCount);
  if (seen && seen.state !== run.state) status.textContent = "";
  const old = seen ?? {state: live.dataset.state ?? run.state, change: run.change}; // as the page was made
  if ((old.change !== run.change || old.state !== run.state) && !live.dataset.case) soon(run.state === "running" && old.state === run.state ? 5000 : 0, run.followers);
  seen = run;
  if (run.state === "done" && !("keeps" in live.dataset)) leave();
}

/** The steps of a trial from `first` on; what was unfolded stays so. */
function steps({first, steps: fresh, ended}) {
  const list = document.querySelector("ol.steps"), low = innerHeight + scrollY > document.body.scrollHeight - 80;
  const before = [...list.children], place = document.createElement("ol");
  place.innerHTML = fresh.join("");
  [...place.children].forEach((step, at) => {
    const old = before[first + at];
    if (!old) return list.append(step);
    step.classList.toggle("here", old.classList.contains("here"));
    all("details", old).forEach((one, which) => { const same = all("details", step)[which]; if (same && one.open) same.open = true; });
    old.replaceWith(step);
  });
  before.slice(first + fresh.length).forEach(step => step.remove());
  wire(list);
  if (low && before.length && before.length < list.children.length) scrollTo({top: document.body.scrollHeight});
  if (ended) { leave(); soon(0, 1); }
}

/** Shows the page anew after so many ms; all pages together take the server little of its time. */
function soon(least, followers) {
  const after = Math.max(least, least && 40 * took * followers), at = performance.now() + after;
  if (waiting && due <= at) return;
  clearTimeout(waiting);
  [waiting, due] = [setTimeout(anew, after), at];
}

const busy = () => document.querySelector("dialog[open], main :checked:is([type=checkbox])") || !getSelection().isCollapsed
  || document.activeElement?.matches("main :is(input, select, textarea)");

/** By what a link is found again on the page as it is then. */
const found = link => link?.matches("a[href]") ? `a[href="${CSS.escape(link.getAttribute("href"))}"]` : null;

async function anew() {
  waiting = 0;
  if (document.hidden) return;
  if (busy()) { soon(2000, 0); return; }
  const begun = performance.now(), content = document.getElementById("content");
  const page = await fetch(location.href).then(answer => answer.text()).catch(() => "");
  took = performance.now() - begun;
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("content");
  if (fresh && !busy()) replace(content, fresh);
  if (polls) soon(5000, 1);
}

/** What was unfolded, in focus or walked to stays so. */
function replace(content, fresh) {
  const name = one => `${one.closest("[id]")?.id} ${one.querySelector("summary")?.textContent}`;
  const open = new Set(all("details[open]", content).map(name));
  const focus = found(document.activeElement), here = found(content.querySelector(".here :is(a.main, a.anchor)"));
  content.replaceChildren(...fresh.childNodes);
  wire(content);
  all("details", content).forEach(one => { if (open.has(name(one))) one.open = true; });
  if (here) content.querySelector(here)?.closest("tr, .step")?.classList.add("here");
  if (focus) content.querySelector(focus)?.focus({preventScroll: true});
}

async function asks(path, values) {
  status.textContent = "…";
  status.textContent = await send(path, values).then(answer => answer.text(), error => error.message);
  follow();
}

/** The list of runs has no stream: any file of the folder may change, or come. */
const polls = live && "polls" in live.dataset;
if (polls) {
  document.addEventListener("visibilitychange", () => soon(0, 1));
  soon(5000, 1);
} else if (live) {
  controls.addEventListener("click", event => {
    const run = event.target.closest("[data-stops]")?.dataset.stops;
    if (run) asks("/stop", {run});
  });
  controls.addEventListener("submit", event => {
    event.preventDefault();
    asks("/resume", {run: event.target.dataset.resumes, ...Object.fromEntries(new FormData(event.target))});
  });
  document.addEventListener("visibilitychange", () => document.hidden ? leave() : follow());
  addEventListener("pagehide", leave);
  addEventListener("pageshow", follow);
  follow();
}
