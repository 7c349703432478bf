"use strict";
// The page can be read without this. It adds sorting, filters, and the reviewer's decisions.
(() => {
  const table = document.getElementById("suspicious");
  if (!table) return;
  document.documentElement.classList.add("js");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const field = (id) => document.getElementById(id);
  const key = "labelnoise:" + document.documentElement.dataset.report;
  const decisions = new Map();

  // --- keep decisions over a reload; a browser may forbid it, and then they live as long as the page
  const keep = () => {
    try { localStorage.setItem(key, JSON.stringify([...decisions])); } catch { /* not allowed */ }
  };
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(key) || "[]"); } catch { return []; }
  };

  // --- sorting
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  };
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)
      ? x - y : a.localeCompare(b, undefined, { numeric: true });
  };
  table.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const head = button.closest("th");
    const up = head.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const sign = up ? 1 : -1;
    rows.sort((a, b) => sign * compare(value(a, head.cellIndex), value(b, head.cellIndex)));
    body.append(...rows);
  });

  // --- filters
  const haystack = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const show = () => {
    const wanted = field("search").value.trim().toLowerCase();
    const [given, suggested, state] = ["given", "suggested", "state"].map((id) => field(id).value);
    let shown = 0;
    for (const row of rows) {
      const decided = decisions.has(row.dataset.row);
      const visible = (!wanted || haystack.get(row).includes(wanted))
        && (!given || row.dataset.given === given)
        && (!suggested || row.dataset.suggested === suggested)
        && (!state || (state === "open") !== decided);
      row.hidden = !visible;
      shown += visible;
    }
    field("shown").textContent = `${shown} of ${rows.length} rows shown`;
    field("none").style.display = shown ? "none" : "block";
  };
  for (const id of ["search", "given", "suggested", "state"]) field(id).addEventListener("input", show);

  // --- decisions
  const paint = (row) => {
    const decided = decisions.get(row.dataset.row);
    const [bad, ok] = row.querySelectorAll(".decide button");
    bad.setAttribute("aria-pressed", String(decided !== undefined && decided !== row.dataset.given));
    ok.setAttribute("aria-pressed", String(decided === row.dataset.given));
    row.querySelector(".decide input").value = decided ?? "";
    row.classList.toggle("done", decided !== undefined);
  };
  const tally = () => {
    const wrong = rows.filter((row) => {
      const decided = decisions.get(row.dataset.row);
      return decided !== undefined && decided !== row.dataset.given;
    }).length;
    field("tally").textContent = decisions.size
      ? `${decisions.size} decided: ${wrong} wrong, ${decisions.size - wrong} right` : "nothing decided yet";
    field("download").disabled = field("forget").disabled = decisions.size === 0;
  };
  const decide = (row, label) => {
    if (label === undefined || label === "") decisions.delete(row.dataset.row);
    else decisions.set(row.dataset.row, label);
    paint(row); tally(); keep();
  };
  body.addEventListener("click", (event) => {
    const button = event.target.closest(".decide button");
    if (!button) return;
    const row = button.closest("tr");
    const label = button.classList.contains("ok") ? row.dataset.given : row.dataset.suggested;
    const pressed = button.getAttribute("aria-pressed") === "true";
    decide(row, pressed ? undefined : label);
  });
  const classes = new Set([...field("labels").options].map((option) => option.value));
  body.addEventListener("change", (event) => {
    if (!event.target.matches(".decide input")) return;
    const label = event.target.value;
    const known = label === "" || classes.has(label);
    event.target.setCustomValidity(known ? "" : "This is no class of the data.");
    event.target.reportValidity();
    if (known) decide(event.target.closest("tr"), label);
  });

  // --- download
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  field("download").addEventListener("click", () => {
    const lines = rows.filter((row) => decisions.has(row.dataset.row))
      .map((row) => [row.dataset.row, row.dataset.given, decisions.get(row.dataset.row)].map(quoted).join(","));
    const text = ["row,given,reviewed", ...lines, ""].join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    link.download = "decisions.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  field("forget").addEventListener("click", () => {
    if (!confirm("Forget all decisions on this page?")) return;
    decisions.clear();
    rows.forEach(paint); tally(); keep(); show();
  });

  // --- start
  const known = new Map(rows.map((row) => [row.dataset.row, row]));
  for (const [row, label] of kept()) if (known.has(row)) decisions.set(row, label);
  rows.forEach(paint); tally(); show();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("section > details")) details.open = true;
  });
})();
