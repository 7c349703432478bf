"use strict";
// The page can be read without this script. It adds sorting, filters, decisions and downloads.
(() => {
  const table = document.getElementById("suspicious");
  if (!table) return;
  document.documentElement.classList.add("js");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const field = (id) => document.getElementById(id);
  const settings = document.documentElement.dataset;
  const storageKey = `labelnoise:${settings.report}`;
  const decisions = new Map();  // row -> reviewed label
  const classes = new Set([...field("labels").options].map((option) => option.value));
  const PAGE = 50;
  let maxShown = PAGE;

  // --- storage: decisions survive a reload, and other pages about the same data share them.
  // A browser may forbid storage; then decisions last as long as the page.
  const stored = () => {
    try { return new Map(JSON.parse(localStorage.getItem(storageKey) || "[]")); } catch { return new Map(); }
  };
  const store = (...changed) => {
    const all = stored();
    for (const row of changed) {
      const label = decisions.get(row.dataset.row);
      if (label === undefined) all.delete(row.dataset.row);
      else all.set(row.dataset.row, { given: row.dataset.given, label });
    }
    try { localStorage.setItem(storageKey, JSON.stringify([...all])); } catch { /* not allowed */ }
  };

  // --- sorting
  const value = (row, column) => (column === 0 ? row.dataset.row
    : row.cells[column].dataset.value ?? row.cells[column].textContent.trim());
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)
      ? x - y : a.localeCompare(b, undefined, { numeric: true });
  };
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("button")?.closest("th");
    if (!head) return;
    const current = head.getAttribute("aria-sort");
    const ascending = current ? current === "descending" : head.dataset.first !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const sign = ascending ? 1 : -1;
    rows.sort((a, b) => sign * compare(value(a, head.cellIndex), value(b, head.cellIndex)));
    body.append(...rows);
    show();
  });

  // --- filters
  const normal = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const searched = new Map(rows.map((row) => [row,
    normal([...row.querySelectorAll(":scope > :not(.decide)")].map((cell) => cell.textContent).join(" "))]));
  let matching = rows;
  const show = () => {
    const [text, given, suggested, state] =
      ["search", "given", "suggested", "state"].map((id) => field(id).value);
    matching = rows.filter((row) => searched.get(row).includes(normal(text))
      && (!given || row.dataset.given === given)
      && (!suggested || row.dataset.suggested === suggested)
      && (!state || (state === "decided") === decisions.has(row.dataset.row)));
    const shown = new Set(matching.slice(0, maxShown));
    for (const row of rows) row.hidden = !shown.has(row);
    field("shown").textContent = `${shown.size} of ${matching.length} rows shown`
      + (matching.length < rows.length ? ` (${rows.length} in total)` : "");
    field("none").style.display = matching.length ? "none" : "block";
    field("more").hidden = shown.size === matching.length;
    field("download-table").disabled = !matching.length;
  };
  for (const id of ["search", "given", "suggested", "state"]) {
    field(id).addEventListener("input", () => { maxShown = PAGE; show(); });
  }
  field("more").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const next = matching[maxShown];
    maxShown = "all" in button.dataset ? rows.length : maxShown + 2 * PAGE;
    show();
    next?.querySelector(".decide button").focus();
  });

  // --- decisions
  const inShell = (text) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const paint = (row) => {
    const label = decisions.get(row.dataset.row);
    const [wrong, correct] = row.querySelectorAll(".decide button");
    wrong.setAttribute("aria-pressed", String(label !== undefined && label !== row.dataset.given));
    correct.setAttribute("aria-pressed", String(label === row.dataset.given));
    row.querySelector(".decide input").value = label ?? "";
    row.classList.toggle("done", label !== undefined);
    row.classList.toggle("new", label !== undefined && !classes.has(label));
  };
  const count = () => {
    const n = decisions.size;
    const nCorrect = rows.filter((row) => decisions.get(row.dataset.row) === row.dataset.given).length;
    const added = [...new Set(decisions.values())].filter((label) => !classes.has(label));
    field("tally").textContent = n
      ? `${n} decided: ${n - nCorrect} wrong, ${nCorrect} correct` : "nothing decided yet";
    if (added.length) field("tally").textContent += `; new classes: ${added.join(", ")}`;
    const options = added.map((label) => ` --new-class ${inShell(label)}`).join("");
    for (const end of document.querySelectorAll(".new-classes")) end.textContent = options;
    field("download").disabled = field("forget").disabled = !n;
  };
  const decide = (row, label) => {
    if (label) decisions.set(row.dataset.row, label);
    else decisions.delete(row.dataset.row);
    paint(row); count(); store(row);
  };
  body.addEventListener("click", (event) => {
    const button = event.target.closest(".decide button");
    if (!button) return;
    const row = button.closest("tr");
    const label = button.matches(".correct") ? row.dataset.given : row.dataset.suggested;
    decide(row, button.getAttribute("aria-pressed") === "true" ? "" : label);
  });
  body.addEventListener("change", (event) => {
    if (!event.target.matches(".decide input")) return;
    const label = event.target.value;
    const known = [...classes].find((name) => normal(name) === normal(label));
    decide(event.target.closest("tr"), classes.has(label) ? label : known ?? label.trim());
  });

  // --- keys on the buttons of a row; elsewhere they belong to the browser and screen readers
  const byKey = [];  // rows in the order of decisions, to undo the last one
  const go = (row, step, kind) => {
    const place = matching.indexOf(row) + step;
    if (place < 0 || place >= matching.length) return;
    if (place >= maxShown) { maxShown = place + PAGE; show(); }
    matching[place].querySelector(`.decide .${kind}`).focus();
  };
  body.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr");
    if (event.key === "Enter" && event.target.matches(".decide input")) {
      event.preventDefault();  // or it would press the button that gets the focus
      event.target.blur();  // which decides
      go(row, 1, "wrong");
      return;
    }
    const kind = event.target.closest(".decide button")?.classList[0];
    if (!kind || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = (label) => { decide(row, label); byKey.push(row); go(row, 1, kind); };
    const keys = {
      w: () => next(row.dataset.suggested),
      c: () => next(row.dataset.given),
      u: () => { const last = byKey.pop() ?? row; decide(last, ""); go(last, 0, kind); },
      arrowdown: () => go(row, 1, kind),
      arrowup: () => go(row, -1, kind),
    };
    const key = event.key.toLowerCase();
    if (!Object.hasOwn(keys, key)) return;
    event.preventDefault();
    keys[key]();
  });

  // --- downloads, as spreadsheets like them: rounded numbers, no text that runs as a formula, and
  // a mark at the beginning that says the file is UTF-8
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const guarded = (text) => (/^'*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
  const download = (name, head, chosen, cells) => {
    const lines = [head, ...chosen.map(cells)].map((line) => line.map(guarded).map(quoted).join(","));
    const link = document.createElement("a");
    const type = "text/csv;charset=utf-8";
    link.href = URL.createObjectURL(new Blob(["\ufeff", lines.join("\r\n"), "\r\n"], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const known = [["row", (row) => row.dataset.row]];
  if (rows[0].dataset.line) known.push(["line", (row) => row.dataset.line]);
  known.push(["given", (row) => row.dataset.given], ["suggested", (row) => row.dataset.suggested]);
  known.push(["reviewed", (row) => decisions.get(row.dataset.row) ?? ""]);
  if (rows[0].querySelector(".p")) {
    const rounded = (row) => String(Number(Number(row.querySelector(".p").dataset.value).toFixed(4)));
    known.push(["p_wrong", rounded]);
  }
  const head = known.map(([name]) => name);
  const cells = (row) => known.map(([, cell]) => cell(row));
  field("download").addEventListener("click", () => download(
    settings.decisions, head, rows.filter((row) => decisions.has(row.dataset.row)), cells));
  const content = (row) => [...row.querySelectorAll(".row-content .value")].map((one) => one.textContent);
  field("download-table").addEventListener("click", () => download(
    settings.decisions.replace("decisions", "rows-to-review"), [...head, ...JSON.parse(table.dataset.columns)],
    matching, (row) => [...cells(row), ...content(row)]));
  field("forget").addEventListener("click", () => {
    if (!confirm("Discard all decisions on this page?")) return;
    decisions.clear();
    byKey.length = 0;
    rows.forEach(paint); count(); store(...rows); show();
    field("search").focus();
  });

  // --- start
  const recall = () => {
    const all = stored();
    for (const row of rows) {
      const decision = all.get(row.dataset.row);
      if (decision?.given === row.dataset.given) decisions.set(row.dataset.row, decision.label);
      else decisions.delete(row.dataset.row);
    }
    rows.forEach(paint); count();
  };
  recall(); show();
  addEventListener("storage", (event) => { if (event.key === storageKey) recall(); });
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("section > details")) details.open = true;
  });
})();
