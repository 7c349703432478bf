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
  const classes = new Set([...field("labels").options].map((option) => option.value));
  const PAGE = 50;  // rows that are shown at first; more on demand
  let most = PAGE;

  // --- keep decisions over a reload; a browser may forbid it, and then they live as long as the page
  // (what other pages about the same data decided about other rows is left alone)
  const kept = () => {
    try { return new Map(JSON.parse(localStorage.getItem(key) || "[]")); } catch { return new Map(); }
  };
  const keep = (...changed) => {
    const all = kept();
    for (const row of changed) {
      const label = decisions.get(row.dataset.row);
      if (label === undefined) all.delete(row.dataset.row);
      else all.set(row.dataset.row, { given: row.dataset.given, label });
    }
    try { localStorage.setItem(key, JSON.stringify([...all])); } catch { /* not allowed */ }
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
    const now = head.getAttribute("aria-sort");
    const up = now ? now === "descending" : head.dataset.first !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const sign = up ? 1 : -1;
    rows.sort((a, b) => sign * compare(value(a, head.cellIndex), value(b, head.cellIndex)));
    body.append(...rows);
    show();
  });

  // --- filters
  const text = (row) => [...row.cells].filter((cell) => !cell.matches(".decide"))
    .map((cell) => cell.textContent).join(" ").replace(/\s+/g, " ").toLowerCase();
  const haystack = new Map(rows.map((row) => [row, text(row)]));
  let fitting = rows;
  const fits = () => {
    const wanted = field("search").value.trim().replace(/\s+/g, " ").toLowerCase();
    const [given, suggested, state] = ["given", "suggested", "state"].map((id) => field(id).value);
    return (row) => {
      const decided = decisions.has(row.dataset.row);
      return (!wanted || haystack.get(row).includes(wanted))
        && (!given || row.dataset.given === given)
        && (!suggested || row.dataset.suggested === suggested)
        && (!state || (state === "open") !== decided);
    };
  };
  const show = () => {
    fitting = rows.filter(fits());
    const shown = new Set(fitting.slice(0, most));
    for (const row of rows) row.hidden = !shown.has(row);
    field("shown").textContent = `${shown.size} of ${fitting.length} rows shown`
      + (fitting.length < rows.length ? ` (${rows.length} in all)` : "");
    field("none").style.display = fitting.length ? "none" : "block";
    field("more").hidden = shown.size === fitting.length;
  };
  for (const id of ["search", "given", "suggested", "state"]) {
    field(id).addEventListener("input", () => { most = PAGE; show(); });
  }
  field("more").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const first = fitting[most];
    most = button.dataset.all === undefined ? most + 2 * PAGE : rows.length;
    show();
    first?.querySelector(".decide button").focus();
  });

  // --- decisions
  const paint = (row) => {
    const decided = decisions.get(row.dataset.row);
    const [bad, ok] = row.querySelectorAll(".decide button");
    bad.setAttribute("aria-pressed", String(decided !== undefined && decided !== row.dataset.given));
    ok.setAttribute("aria-pressed", String(decided === row.dataset.given));
    row.querySelector(".decide input").value = decided ?? "";
    row.classList.toggle("done", decided !== undefined);
    row.classList.toggle("new", decided !== undefined && !classes.has(decided));
  };
  const inShell = (text) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const tally = () => {
    const wrong = rows.filter((row) => {
      const decided = decisions.get(row.dataset.row);
      return decided !== undefined && decided !== row.dataset.given;
    }).length;
    field("tally").textContent = decisions.size
      ? `${decisions.size} decided: ${wrong} wrong, ${decisions.size - wrong} right` : "nothing decided yet";
    const added = [...new Set(decisions.values())].filter((label) => !classes.has(label));
    if (added.length) field("tally").textContent += `; new: ${added.join(", ")}`;
    const options = added.map((label) => ` --new-class ${inShell(label)}`).join("");
    for (const end of document.querySelectorAll(".new-classes")) end.textContent = options;
    field("download").disabled = field("forget").disabled = decisions.size === 0;
  };
  const decide = (row, label) => {
    if (label === undefined || label === "") decisions.delete(row.dataset.row);
    else decisions.set(row.dataset.row, label);
    paint(row); tally(); keep(row);
  };
  const decided = [];  // rows in the order of decisions by key, to undo the last one
  body.addEventListener("click", (event) => {
    const button = event.target.closest(".decide button");
    if (!button) return;
    const row = button.closest("tr");
    const label = button.classList.contains("ok") ? row.dataset.given : row.dataset.suggested;
    const pressed = button.getAttribute("aria-pressed") === "true";
    decide(row, pressed ? undefined : label);
  });
  body.addEventListener("change", (event) => {
    if (!event.target.matches(".decide input")) return;
    const label = event.target.value;
    const meant = [...classes].find((one) => one.toLowerCase() === label.trim().toLowerCase());
    decide(event.target.closest("tr"), classes.has(label) ? label : meant ?? label.trim());
  });

  // --- keys, on the buttons of a row only: elsewhere they belong to the reader's tools
  const go = (row, step, button) => {
    const place = fitting.indexOf(row) + step;
    if (place < 0 || place >= fitting.length) return;
    if (place >= most) { most = place + PAGE; show(); }
    fitting[place].querySelector(`.decide .${button}`).focus();
  };
  body.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches(".decide input")) {
      event.preventDefault();  // or it would press the button that gets the focus
      event.target.blur();  // which decides
      go(event.target.closest("tr"), 1, "bad");
      return;
    }
    const button = event.target.closest(".decide button");
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = button.closest("tr");
    const kind = button.classList[0];
    const keys = {
      w: () => { decide(row, row.dataset.suggested); decided.push(row); go(row, 1, kind); },
      r: () => { decide(row, row.dataset.given); decided.push(row); go(row, 1, kind); },
      u: () => { const last = decided.pop() ?? row; decide(last, undefined); go(last, 0, kind); },
      ArrowDown: () => go(row, 1, kind),
      ArrowUp: () => go(row, -1, kind),
    };
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(keys, pressed)) return;
    event.preventDefault();
    keys[pressed]();
  });

  // --- download
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const guarded = (text) => (/^'*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
  field("download").addEventListener("click", () => {
    const lines = rows.filter((row) => decisions.has(row.dataset.row))
      .map((row) => [row.dataset.row, row.dataset.given, decisions.get(row.dataset.row)].map(guarded).map(quoted).join(","));
    const text = ["row,given,reviewed", ...lines, ""].join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    link.download = document.documentElement.dataset.decisions;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  field("forget").addEventListener("click", () => {
    if (!confirm("Forget all decisions on this page?")) return;
    decisions.clear();
    decided.length = 0;
    rows.forEach(paint); tally(); keep(...rows); show();
    field("search").focus();
  });

  // --- start
  const recall = () => {
    const all = kept();
    for (const row of rows) {
      const found = all.get(row.dataset.row);
      if (found?.given === row.dataset.given) decisions.set(row.dataset.row, found.label);
      else decisions.delete(row.dataset.row);
    }
    rows.forEach(paint); tally();
  };
  recall(); show();
  addEventListener("storage", (event) => { if (event.key === key) recall(); });
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("section > details")) details.open = true;
  });
})();
