"use strict";
// One item at a time. Without this script all of them stand below each other.
(() => {
  const browser = document.getElementById("browser");
  if (!browser) return;
  const find = (id) => document.getElementById(id);
  const items = [...browser.querySelectorAll(".item")];
  const entries = new Map(
    [...browser.querySelectorAll("[data-item]")].map((entry) => [entry.dataset.item, entry])
  );
  const filters = ["variant", "split"].map(find);
  let current = items[0];

  const fits = (item) => filters.every((filter) => !filter.value || item.dataset[filter.id] === filter.value);
  const chosen = () => items.filter(fits);
  const named = () => items.find((item) => "#" + item.id === location.hash);

  function show(item) {
    const fitting = chosen();
    current = item;
    for (const each of items) each.classList.toggle("current", each === item);
    for (const each of items) {
      const entry = entries.get(each.id);
      entry.hidden = !fits(each);
      entry.querySelector("a").toggleAttribute("aria-current", each === item);
    }
    const place = fitting.indexOf(item);
    find("position").textContent = item ? `${place + 1} of ${fitting.length}` : "0 of 0";
    find("previous").disabled = place <= 0;
    find("next").disabled = !item || place === fitting.length - 1;
    find("none").hidden = Boolean(item);
  }

  function step(by) {
    const fitting = chosen();
    const next = fitting[fitting.indexOf(current) + by];
    if (!next) return;
    history.replaceState(null, "", "#" + next.id);
    show(next);
    if (browser.getBoundingClientRect().top < 0) browser.scrollIntoView();
  }

  function follow() {
    const item = named();
    if (!item) return;
    if (!fits(item)) for (const filter of filters) filter.value = "";
    show(item);
    browser.scrollIntoView();
  }

  const seen = () => {
    const box = browser.getBoundingClientRect();
    return box.top < innerHeight && box.bottom > 0;
  };
  const busy = (target) => target.closest("select, input, textarea, .scroll");

  document.documentElement.classList.add("js");
  browser.querySelector(".toolbar").hidden = false;
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  for (const filter of filters)
    filter.addEventListener("change", () => show(current && fits(current) ? current : chosen()[0]));
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!seen() || busy(event.target)) return;
    event.preventDefault();
    step(by);
  });
  addEventListener("hashchange", follow);
  show(current);
  follow();
})();
