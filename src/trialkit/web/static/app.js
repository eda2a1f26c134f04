// Keys, and small manners of all pages. A page works without it, but for what is written.
"use strict";

const all = (what, of = document) => [...of.querySelectorAll(what)];

/** Sends a write to this server; only our own pages have the word for it. */
async function send(path, values) {
  const headers = {"content-type": "application/json", "x-csrf-token": document.querySelector("meta[name=csrf]").content};
  const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(values)});
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

/** Key → what it does; a page adds its own. */
const keys = {
  "?": () => document.getElementById("keys").showModal(),
  "/": () => document.querySelector("[data-search]")?.focus(),
  "u": () => all(".top a").at(-1)?.click(),
  "j": () => walk(1),
  "k": () => walk(-1),
  "x": () => here()?.querySelector("input[type=checkbox]")?.click(),
  "o": () => { const uses = all("details.use"), open = !uses.every(use => use.open); uses.forEach(use => use.open = open); },
  "Enter": () => here()?.querySelector("a.main")?.click(),
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "Enter" && event.target.matches("a, button, input, summary")) return;
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});

const here = () => document.querySelector("tr.here, .step.here, .pair.here");

/** To the next row of the page's list, or to the one before. */
function walk(by) {
  const rows = all("[data-walks] tbody tr:not([hidden]), [data-walks] > .step, [data-walks] > .pair"), old = here();
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(old) + by))];
  if (!next) return;
  old?.classList.remove("here");
  next.classList.add("here");
  (next.querySelector("a.main, a.anchor") ?? next.querySelector("summary"))?.focus({preventScroll: true});
  next.scrollIntoView({block: "nearest"});
}


/** What another page of ours has to show, without its title, and what it says where it has nothing. */
async function contentOf(path) {
  const answer = await fetch(path);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("content");
  found?.querySelectorAll("h1, .alone").forEach(one => one.remove());
  return found ? [...found.childNodes] : [];
}

/** What is folded is asked for when it is unfolded, what is not, at once; without us there is a link to it. */
async function load(place) {
  if (!place.dataset.loads) return;
  const path = place.dataset.loads;
  delete place.dataset.loads;
  const kept = place.querySelector("summary");
  place.replaceChildren(...[kept].filter(Boolean), ...await contentOf(path));
  wire(place);
}

/** What scrolls can be scrolled by keys. */
const reachable = place => all("pre", place).forEach(one => { if (one.scrollHeight > one.clientHeight) one.tabIndex = 0; });

/** Gives the things of a page what they do. */
function wire(place) {
  reachable(place);
  all("[data-loads]", place).forEach(one => one.matches("details") ? one.addEventListener("toggle", () => load(one)) : load(one));
  all("[data-key]", place).forEach(one => keys[one.dataset.key] = () => one.click());
  all("[data-opens]", place).forEach(one => one.onclick = () => document.getElementById(one.dataset.opens).showModal());
  all("[data-submits]", place).forEach(one => one.onchange = () => one.form.requestSubmit());
  all("[data-posts]", place).forEach(one => one.onclick = () => post(one));
}

/** Sends what a button has to send, and shows below it what comes back. */
async function post(button) {
  const shown = button.nextElementSibling ?? button.parentElement.appendChild(document.createElement("pre"));
  shown.textContent = "…";
  shown.textContent = await send(button.dataset.posts, JSON.parse(button.dataset.values))
    .then(answer => answer.text(), error => error.message);
}

document.addEventListener("toggle", event => reachable(event.target), true);
wire(document);
