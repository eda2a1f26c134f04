// Labelling: a key says it, and it is saved before anything else is shown.
"use strict";

const place = document.getElementById("labelling"), fault = document.getElementById("fault");
const of = () => ({run: place.dataset.run, by: place.dataset.by, case: place.dataset.case, trial: place.dataset.trial});

/** Sends it, or tells why not. */
async function saving(path, values) {
  try {
    await send(path, values);
    return true;
  } catch (error) {
    fault.textContent = error instanceof TypeError ? "The viewer does not answer: is it still running?" : error.message;
    fault.hidden = false;
    return false;
  }
}

/** The same trial again, now that it is labelled, with what the judge says of it. */
function again() {
  const {run, by, case: id, trial} = of();
  const query = new URLSearchParams({run, by, case: id, trial});
  if ("settles" in place.dataset) query.set("queue", "settle");
  location.replace(`/label?${query}`);
}

/** What was written of a trial that is not labelled yet, in case the page is loaded again. */
const draft = () => `critique of ${JSON.stringify(of())}`;

async function says(outcome) {
  const critique = document.getElementById("critique").value, settles = "settles" in place.dataset ? "yes" : "";
  if (!await saving("/label", {...of(), outcome, critique, settles})) return;
  sessionStorage.removeItem(draft());
  again();
}

all("[data-says]").forEach(button => button.onclick = () => says(button.dataset.says));

const score = document.getElementById("score");
if (score) {
  const scored = () => score.value === "" || !score.reportValidity() ? score.focus() : says(score.value);
  document.querySelector("[data-scores]").onclick = scored;
  score.onkeydown = event => { if (event.key === "Enter") scored(); };
  keys.s = () => score.focus();
}

const critique = document.getElementById("critique");
if (critique) {
  keys.c = () => critique.focus();
  if (!critique.dataset.saved) {
    critique.value ||= sessionStorage.getItem(draft()) ?? "";
    critique.oninput = () => sessionStorage.setItem(draft(), critique.value);
  }
  critique.onkeydown = event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) critique.blur(); };
  critique.onchange = () => { // of a trial that is labelled: else it waits for the label
    const {saved} = critique.dataset, settles = "settles" in place.dataset ? "yes" : "";
    if (saved) saving("/label", {...of(), outcome: saved, critique: critique.value, settles});
  };
}

const marking = document.getElementById("marking");
if (marking) {
  const kind = document.getElementById("kind"), list = marking.querySelector(".kinds");
  const own = () => { try { return JSON.parse(localStorage.getItem("kinds")) || []; } catch { return []; } };
  const known = () => [...new Set([...JSON.parse(place.dataset.kinds), ...own()])].slice(0, 20);
  const mark = (step, name, on, told = "") => saving("/label/mark", {...of(), step, kind: name, critique: told, on});

  const open = step => {
    marking.dataset.step = step;
    document.getElementById("marking-title").textContent = step === "0" ? "Mark the trial" : `Mark step ${step}`;
    list.replaceChildren(...known().map((name, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(name, " ");
      if (at < 9) button.append(Object.assign(document.createElement("kbd"), {textContent: at + 1}));
      button.onclick = () => { kind.value = name; marking.close("save"); };
      return button;
    }));
    kind.value = document.getElementById("mark-critique").value = marking.returnValue = "";
    marking.showModal();
    (list.querySelector("button") ?? kind).focus();
  };
  keys.m = () => open(document.querySelector(".step.here")?.id.replace("step-", "") ?? "0");
  all("[data-marks]").forEach(button => button.onclick = () => open(button.dataset.marks));
  marking.onkeydown = event => {
    if (event.target.matches("input")) {
      if (event.key === "Enter") { event.preventDefault(); marking.close("save"); }
    } else if (/^[1-9]$/.test(event.key)) list.querySelectorAll("button")[event.key - 1]?.click();
  };
  marking.onclose = async () => {
    const name = kind.value.trim();
    if (marking.returnValue !== "save" || !name) return;
    try { localStorage.setItem("kinds", JSON.stringify([...new Set([name, ...own()])].slice(0, 20))); } catch { /* none */ }
    if (await mark(marking.dataset.step, name, "yes", document.getElementById("mark-critique").value)) location.reload();
  };
  all("[data-unmarks]").forEach(button => button.onclick = async () => {
    if (await mark(button.dataset.unmarks, button.dataset.kind, "")) location.reload();
  });
}

const draw = document.getElementById("draw");
if (draw) draw.onsubmit = async event => {
  event.preventDefault();
  if (await saving("/label/draw", {...of(), ...Object.fromEntries(new FormData(draw))})) {
    location.href = `/label?${new URLSearchParams({run: place.dataset.run, by: place.dataset.by})}`;
  }
};

const figures = document.getElementById("figures");
if (figures) fetch(figures.dataset.from).then(async answer => {
  if (answer.ok) figures.innerHTML = await answer.text(); // ours, with all that strangers wrote escaped
});
