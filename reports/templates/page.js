"use strict";
(() => {
  const form = document.getElementById("filter");
  const openTarget = () => {
    const target = location.hash.startsWith("#task-") && document.getElementById(location.hash.slice(1));
    if (target) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", openTarget);
  openTarget();
  if (!form) return;

  const text = document.getElementById("filter-text");
  const outcome = document.getElementById("filter-outcome");
  const count = document.getElementById("filter-count");
  const tasks = [...document.querySelectorAll("#task-list > .task")];
  let contents = null; // read once, at the first search
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !contents) contents = tasks.map((task) => task.textContent.toLowerCase());
    let shown = 0;
    tasks.forEach((task, index) => {
      const fits =
        (!outcome.value || task.dataset.outcomes.split(" ").includes(outcome.value)) &&
        words.every((word) => contents[index].includes(word));
      task.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    const noun = tasks.length === 1 ? "task" : "tasks";
    count.value = shown === tasks.length ? `${shown} ${noun}` : `${shown} of ${tasks.length} ${noun}`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  form.hidden = false;
  apply();
})();
