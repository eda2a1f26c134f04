// A click on a column's name sorts by it; what is not known stays at the end, whichever way.
document.querySelectorAll("th button").forEach(button => button.onclick = () => {
  const head = button.parentElement, rows = head.closest("table").tBodies[0];
  const way = head.ariaSort === "ascending" ? -1 : 1;
  const key = row => row.cells[head.cellIndex].dataset.value ?? row.cells[head.cellIndex].textContent;
  const order = (a, b) => !a || !b ? !a - !b
    : way * (isFinite(a) && isFinite(b) ? a - b : a.localeCompare(b, undefined, {numeric: true}));
  rows.querySelectorAll("tr:has(> .opened)").forEach(row => row.remove());
  rows.append(...[...rows.rows].sort((a, b) => order(key(a), key(b))));
  for (const other of head.parentElement.cells) other.ariaSort = "none";
  head.ariaSort = way === 1 ? "ascending" : "descending";
});
