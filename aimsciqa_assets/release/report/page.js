"use strict";
// All items: a list that is searched and filtered, a page of it at a time, and one item below it. Without this
// script the first items stand below each other.
(() => {
  const browser = document.getElementById("browser");
  if (location.protocol.startsWith("http")) document.getElementById("review").hidden = false;
  if (!browser) return;
  const find = (id) => document.getElementById(id);
  const { packed, chunk, items: rows } = JSON.parse(find("index").textContent);
  const filters = [...browser.querySelectorAll(".filters select")];
  const PER_PAGE = 20;
  const ID = 0, ANCHOR = 1, FIRST_FILTER = 2, QUESTION = FIRST_FILTER + filters.length;
  const searched = rows.map((row) => [row[ID], row[QUESTION], row[QUESTION + 1]].join("\n").toLowerCase());
  const standing = new Map([...browser.querySelectorAll(".item")].map((item) => [item.id, item]));
  const numbers = new Map(rows.map((row, number) => [row[ANCHOR], number]));
  const chunks = new Map();
  let fitting = rows.map((_, number) => number);
  let current = 0, page = 0, fetched = null;

  const values = (row, place) => [row[FIRST_FILTER + place]].flat();

  function fillFilters() {
    filters.forEach((filter, place) => {
      const counts = new Map();
      for (const row of rows)
        for (const value of values(row, place)) if (value) counts.set(value, (counts.get(value) || 0) + 1);
      const sorted = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
      for (const [value, count] of sorted) filter.append(new Option(`${value} (${count.toLocaleString("en")})`, value));
      filter.disabled = !counts.size;
    });
  }

  function search() {
    const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = filters.map((filter, place) => [filter.value, place]).filter(([value]) => value);
    fitting = [];
    for (let number = 0; number < rows.length; number++)
      if (
        words.every((word) => searched[number].includes(word)) &&
        chosen.every(([value, place]) => values(rows[number], place).includes(value))
      )
        fitting.push(number);
    const kept = fitting.includes(current);
    list(kept ? Math.floor(fitting.indexOf(current) / PER_PAGE) : 0);
    show(kept ? current : fitting[0]);
  }

  function list(number) {
    page = number;
    const first = page * PER_PAGE, last = Math.min(first + PER_PAGE, fitting.length);
    const entries = fitting.slice(first, last).map((number) => {
      const row = rows[number], entry = document.createElement("li"), link = document.createElement("a");
      const tag = document.createElement("span");
      tag.className = "tag";
      tag.textContent = `${row[FIRST_FILTER + 1].toUpperCase()} ${row[FIRST_FILTER]} `;
      link.href = "#" + row[ANCHOR];
      link.append(tag, row[QUESTION] || "No question to show");
      entry.dataset.item = row[ANCHOR];
      entry.value = number + 1;
      entry.append(link);
      return entry;
    });
    find("results").replaceChildren(...entries);
    const count = fitting.length.toLocaleString("en");
    find("found").textContent = `${count} ${fitting.length === 1 ? "item fits" : "items fit"}`;
    find("page").textContent = fitting.length ? `${first + 1}–${last} of ${count}` : "";
    find("earlier").disabled = page === 0;
    find("later").disabled = last === fitting.length;
    mark();
  }

  function mark() {
    for (const entry of find("results").children)
      entry.firstChild.toggleAttribute("aria-current", numbers.get(entry.dataset.item) === current);
  }

  async function unpacked(number) {
    const at = Math.floor((number - packed) / chunk);
    if (!chunks.has(at)) {
      if (chunks.size > 3) chunks.delete(chunks.keys().next().value);
      const text = browser.parentElement.querySelector(`[data-chunk="${at}"]`).textContent;
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      chunks.set(at, new Response(stream).json());
    }
    return (await chunks.get(at))[(number - packed) % chunk];
  }

  // The markup was made, and all texts in it escaped, when the page was written; its policy runs no script of it.
  async function article(number) {
    const there = standing.get(rows[number][ANCHOR]);
    if (there) return there;
    const holder = document.createElement("template");
    holder.innerHTML = await unpacked(number);
    return holder.content.firstElementChild;
  }

  async function show(number) {
    current = number;
    const place = fitting.indexOf(number);
    find("position").textContent = `${(place + 1).toLocaleString("en")} of ${fitting.length.toLocaleString("en")}`;
    find("previous").disabled = place <= 0;
    find("next").disabled = place < 0 || place === fitting.length - 1;
    find("none").hidden = number !== undefined;
    mark();
    const item = number === undefined ? null : await article(number);
    if (number !== current) return; // another one was chosen meanwhile
    for (const each of standing.values()) each.classList.toggle("current", each === item);
    if (fetched !== item) fetched?.remove();
    fetched = item && !standing.has(item.id) ? item : null;
    if (fetched) {
      item.classList.add("current");
      browser.append(item);
    }
  }

  function step(by) {
    const place = fitting.indexOf(current) + by;
    const next = fitting[place];
    if (next === undefined) return;
    history.replaceState(null, "", "#" + rows[next][ANCHOR]);
    if (Math.floor(place / PER_PAGE) !== page) list(Math.floor(place / PER_PAGE));
    show(next);
    if (find("position").getBoundingClientRect().top < 0) find("position").scrollIntoView();
  }

  async function follow() {
    const number = numbers.get(location.hash.slice(1));
    if (number === undefined) return;
    if (!fitting.includes(number)) clear();
    list(Math.floor(fitting.indexOf(number) / PER_PAGE));
    await show(number);
    find("position").parentElement.scrollIntoView();
  }

  function clear() {
    find("search").value = "";
    for (const filter of filters) filter.value = "";
    search();
  }

  const seen = () => {
    const box = browser.getBoundingClientRect();
    return box.top < innerHeight && box.bottom > 0;
  };
  const busy = (target) => target.closest("select, input, textarea, .scroll");

  document.documentElement.classList.add("js");
  for (const part of browser.querySelectorAll(".toolbar, .list, .steps-to")) part.hidden = false;
  fillFilters();
  find("search").addEventListener("input", search);
  for (const filter of filters) filter.addEventListener("change", search);
  find("clear").addEventListener("click", clear);
  find("earlier").addEventListener("click", () => list(page - 1));
  find("later").addEventListener("click", () => list(page + 1));
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!seen() || busy(event.target)) return;
    event.preventDefault();
    step(by);
  });
  addEventListener("hashchange", follow);
  search();
  follow();
})();
