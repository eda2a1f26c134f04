// What a link leads to lies in the page, packed: a second click puts it away. It is text of ours, escaped when it was packed.
const unpacked = async packed => {
  const bytes = Uint8Array.from(atob(packed.textContent), char => char.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
};

async function unfold(name, stays) {
  const packed = document.getElementById(name), link = document.querySelector(`td a[href="#${CSS.escape(name)}"]`);
  if (packed?.type !== "text/plain" || !link) return;
  const row = link.closest("tr"), below = row.nextElementSibling;
  if (below?.dataset.below === name) {
    if (!stays) { below.remove(); link.ariaExpanded = "false"; }
    return;
  }
  const opened = row.parentElement.insertRow(row.sectionRowIndex + 1), cell = opened.insertCell(), box = document.createElement("div");
  opened.dataset.below = name;
  cell.className = "opened";
  cell.colSpan = row.cells.length;
  box.innerHTML = await unpacked(packed);
  cell.append(box);
  link.ariaExpanded = "true";
  if (stays) row.scrollIntoView();
}

document.addEventListener("click", event => {
  const link = event.target.closest?.('a[href^="#"]');
  if (!link || !document.getElementById(link.hash.slice(1))) return;
  event.preventDefault();
  history.replaceState(null, "", link.hash);
  unfold(link.hash.slice(1), !link.closest("td"));
});

document.querySelectorAll('td a[href^="#"]').forEach(link => { link.ariaExpanded = "false"; });
if (location.hash) unfold(location.hash.slice(1), true);
