"use strict";
(async () => {
  const form = document.getElementById("filter");
  if (!form) {
    performance.mark("ready");
    return;
  }
  const STEP = 100; // rows shown at a time
  const list = document.getElementById("task-list");
  const count = document.getElementById("filter-count");
  const more = document.getElementById("more");
  const packed = [...document.querySelectorAll("script.block")];

  const unpack = async (element) => {
    const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).json();
  };
  const blocks = new Map();
  const block = (number) => {
    if (!blocks.has(number)) blocks.set(number, unpack(packed[number]));
    return blocks.get(number);
  };

  const tasks = await unpack(document.getElementById("task-index"));
  const runs = form.elements.run ? [...form.elements.run.options].slice(1).map((option) => option.value) : [];
  let found = tasks;
  let shown = 0;

  // The rows, and what opens below them. All markup was written, and escaped, when the page was made.
  const fill = async (row, task) => {
    if (row.dataset.filled) return;
    row.dataset.filled = "yes";
    const [number, place] = task.at;
    row.lastElementChild.innerHTML = (await block(number))[place];
  };
  const makeRow = (task) => {
    const row = document.createElement("details");
    row.className = "task";
    row.dataset.id = task.id;
    const summary = row.appendChild(document.createElement("summary"));
    summary.innerHTML = task.row;
    row.appendChild(document.createElement("div")).className = "body";
    row.addEventListener("toggle", () => row.open && fill(row, task));
    return row;
  };
  const showUpTo = (end) => {
    const rows = document.createDocumentFragment();
    for (; shown < Math.min(end, found.length); shown++) rows.append(makeRow(found[shown]));
    list.append(rows);
    const left = found.length - shown;
    more.parentElement.hidden = left === 0;
    more.textContent = `Show ${Math.min(STEP, left)} more of ${left.toLocaleString("en")}`;
  };

  // The filter: every choice must fit, and every word of the search must occur in the task or its attempts.
  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };
  const escape = (text) => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter]);
  const textOf = async (task) => {
    if (task.text === undefined) {
      const html = (await block(task.at[0]))[task.at[1]];
      task.text = `${escape(task.words)} ${html.replace(/<[^>]*>/g, " ").toLowerCase()}`;
    }
    return task.text;
  };
  const outcomesOf = (task, run) => (run ? task.outcomes[runs.indexOf(run)] || [] : task.outcomes.flat());
  const chosen = () => Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  const fits = (task, want) =>
    (!want.outcome || outcomesOf(task, want.run).includes(want.outcome)) &&
    (!want.family || task.family === want.family) &&
    (!want.grade || task.grade === want.grade) &&
    (!want.tag || task.tag.includes(want.tag));
  let turn = 0;
  const apply = async () => {
    const mine = ++turn;
    const want = chosen();
    const words = (want.text || "").toLowerCase().split(/\s+/).filter(Boolean).map(escape);
    const candidates = tasks.filter((task) => fits(task, want));
    let result = candidates;
    if (words.length) {
      result = [];
      for (const task of candidates) {
        const text = await textOf(task);
        if (mine !== turn) return;
        if (words.every((word) => text.includes(word))) result.push(task);
      }
    }
    found = result;
    shown = 0;
    list.replaceChildren();
    showUpTo(STEP);
    const noun = tasks.length === 1 ? "task" : "tasks";
    const all = tasks.length.toLocaleString("en");
    count.value = found.length === tasks.length ? `${all} ${noun}` : `${found.length.toLocaleString("en")} of ${all} ${noun}`;
  };

  // Addresses: #task=ID (&run=LABEL&sample=N) opens a task or an attempt, #family=NAME (&outcome=...) sets the filter.
  const openTask = async (wanted) => {
    const index = tasks.findIndex((task) => task.id === wanted.get("task"));
    if (index < 0) return;
    if (!found.includes(tasks[index])) {
      form.reset();
      await apply();
    }
    showUpTo(found.indexOf(tasks[index]) + 1);
    const row = [...list.children].find((each) => each.dataset.id === wanted.get("task"));
    row.open = true;
    await fill(row, tasks[index]);
    const attempt = [...row.querySelectorAll(".attempt")].find(
      (each) => each.dataset.run === wanted.get("run") && each.dataset.sample === wanted.get("sample"),
    );
    if (attempt) attempt.open = true;
    const target = attempt || row;
    target.scrollIntoView();
    target.firstElementChild.focus({ preventScroll: true });
  };
  const follow = async () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!location.hash.includes("=")) return;
    if (wanted.has("task")) {
      await openTask(wanted);
      return;
    }
    form.reset();
    for (const [name, value] of wanted) if (form.elements[name]) form.elements[name].value = value;
    await apply();
    form.scrollIntoView();
    form.focus({ preventScroll: true });
  };

  let waiting = 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["input", "change"]) {
    form.addEventListener(kind, () => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, 120);
    });
  }
  more.addEventListener("click", () => showUpTo(shown + STEP));
  addEventListener("hashchange", follow);
  form.hidden = false;
  await apply();
  await follow();
  document.documentElement.dataset.ready = "yes";
  performance.mark("ready");
})();
