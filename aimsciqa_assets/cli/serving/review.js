"use strict";
// One item at a time: a person accepts, rejects, edits and rates it. Every decision is sent at once.
(() => {
  const find = (id) => document.getElementById(id);
  const token = document.querySelector("meta[name=token]").content;
  const KEPT = "aimsciqa.reviewer";
  const MOST_LISTED = 300;
  let items = [], fitting = [], current = null, reviewer = localStorage.getItem(KEPT) || "";
  let turns = Promise.resolve(), waiting = 0, round = 0;

  async function ask(path, options) {
    const reply = await fetch(path, options);
    const said = await reply.json();
    if (!reply.ok) throw new Error(said.error);
    return said;
  }

  function tell(text, failed = false) {
    find("said").textContent = text;
    find("said").classList.toggle("failed", failed);
  }

  // Whatever leaves an item waits until its decision is saved, and keys that are pressed meanwhile count for the
  // item that follows. If none follows, they are dropped: they were not meant for the item that stays.
  function inTurn(action) {
    const begun = round;
    waiting += 1;
    turns = turns
      .then(() => (begun === round ? action() : null))
      .catch((error) => tell(error.message, true))
      .finally(() => (waiting -= 1));
  }

  const pointAt = (id) => history.replaceState(null, "", "#" + encodeURIComponent(id));

  function dropWaiting() {
    round += 1;
    if (current) pointAt(current.id);
  }

  const mine = (item) => item.reviews.find((review) => review.reviewer === reviewer);
  const wanted = {
    open: (item) => !mine(item),
    all: () => true,
    mine: (item) => Boolean(mine(item)),
    disputed: (item) => item.decision === "disputed",
    rejected: (item) => item.decision === "rejected",
  };

  function list() {
    const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = wanted[find("shown").value];
    fitting = items.filter((item) => fits(item) && words.every((word) => item.searched.includes(word)));
    const first = Math.max(0, Math.min(place() - MOST_LISTED / 2, fitting.length - MOST_LISTED));
    const entries = fitting.slice(first, first + MOST_LISTED).map((item) => {
      const entry = document.createElement("li"), link = document.createElement("a"), state = document.createElement("b");
      state.textContent = item.decision ? `${item.decision} ` : "";
      entry.className = item.decision || "";
      link.href = "#" + encodeURIComponent(item.id);
      link.toggleAttribute("aria-current", item.id === current?.id);
      link.append(state, item.question);
      entry.append(link);
      return entry;
    });
    find("queue").replaceChildren(...entries);
    find("found").textContent = `${fitting.length.toLocaleString("en")} of ${items.length.toLocaleString("en")} items`;
    const done = items.filter(mine).length;
    find("progress").textContent = `${done.toLocaleString("en")} reviewed by ${reviewer || "you"}`;
    find("who").textContent = reviewer;
  }

  const place = () => fitting.findIndex((item) => item.id === current?.id);

  async function open(id) {
    try {
      current = await ask(`/items/${encodeURIComponent(id)}`);
    } catch (error) {
      dropWaiting();
      tell(error.message, true);
      return;
    }
    pointAt(id);
    showArticle();
    const own = current.reviews.find((review) => review.reviewer === reviewer);
    for (const name of ["question", "answer"]) find(name).value = current[name];
    for (const radio of find("panel").elements.score) radio.checked = Number(radio.value) === own?.score;
    find("note").value = own?.note || "";
    press(own?.decision);
    edit(false);
    tell("");
    find("work").hidden = false;
    find("nothing").hidden = true;
    find("work").scrollTop = 0;
    list();
    find("queue").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function showArticle() {
    // The server made this markup and escaped all texts in it; the page's policy runs no script of it.
    find("article").innerHTML = current.html;
    find("article").firstElementChild.classList.add("current");
  }

  function press(decision) {
    for (const name of ["accept", "reject"]) find(name).setAttribute("aria-pressed", name === decision);
  }

  const pressed = () => ["accept", "reject"].find((name) => find(name).getAttribute("aria-pressed") === "true") || null;

  function edit(open) {
    find("texts").hidden = !open;
    find("edit").setAttribute("aria-expanded", open);
    if (open) find("question").focus();
  }

  // An edit is sent where the text is not the original one, or where it takes back an edit.
  function edited(name) {
    const text = find(name).value.trim();
    return text === current[`of_${name}`].trim() && current[name] === current[`of_${name}`] ? null : text;
  }

  const fields = () =>
    JSON.stringify([pressed(), find("panel").elements.score.value, ...["question", "answer", "note"].map((name) => find(name).value)]);

  // Returns null if nothing was saved, else whether the fields still hold what was saved.
  async function save() {
    if (!current) return null;
    const sent = fields();
    const score = find("panel").elements.score.value;
    const review = {
      item_id: current.id,
      reviewer,
      decision: pressed(),
      question: edited("question"),
      answer: edited("answer"),
      score: score ? Number(score) : null,
      note: find("note").value,
      of_question: current.of_question,
      of_answer: current.of_answer,
    };
    const headers = { "Content-Type": "application/json", "X-Aimsciqa-Token": token };
    try {
      await ask("/reviews", { method: "POST", headers, body: JSON.stringify(review) });
      const now = await ask(`/items/${encodeURIComponent(current.id)}`);
      const listed = items.find((item) => item.id === now.id);
      listed.decision = now.decision;
      listed.reviews = now.reviews;
      listed.question = now.question;
      Object.assign(current, now);
      const isWhole = fields() === sent;
      const rest = isWhole ? "" : " What you wrote meanwhile is not saved yet.";
      tell(`Saved: ${named(review, now.decision)}. The release follows at the next aimsciqa run.${rest}`);
      return isWhole;
    } catch (error) {
      dropWaiting();
      tell(`Not saved: ${error.message}`, true);
      return null;
    }
  }

  // What a review holds, and that the reviewers disagree where they do.
  function named(review, outcome) {
    const texts = ["question", "answer"].filter((name) => review[name] !== null);
    const isEdited = texts.some((name) => review[name] !== review[`of_${name}`].trim());
    const held = [
      review.decision && `${review.decision}ed`,
      texts.length > 0 && `the ${isEdited ? "edited" : "original"} text`,
      review.score && `rating ${review.score}`,
      review.note.trim() && "your note",
    ].filter(Boolean);
    const disputed = outcome === "disputed" ? ". The item is disputed" : "";
    return (held.join(", ") || "no decision of yours") + disputed;
  }

  async function decide(decision) {
    if (!current) return;
    const following = neighbour(1);
    const before = pressed();
    press(decision === before ? null : decision);
    const isWhole = await save();
    if (isWhole === null) press(before);
    else if (!isWhole || !following) dropWaiting();
    if (isWhole && pressed()) await go(following);
    else if (isWhole !== null) stay();
  }

  async function keep() {
    if ((await save()) !== null) stay();
  }

  // The fields stay as they are: somebody may be writing there.
  function stay() {
    showArticle();
    list();
  }

  const neighbour = (by) => {
    const at = place();
    return fitting[at < 0 ? 0 : at + by];
  };

  function go(item) {
    if (item) return open(item.id);
    list();
    find("nothing").hidden = fitting.length > 0;
    return null;
  }

  function greet(name) {
    reviewer = name;
    localStorage.setItem(KEPT, name);
    list();
    const id = decodeURIComponent(location.hash.slice(1));
    const item = items.find((one) => one.id === (current?.id || id)) || fitting[0];
    return go(item);
  }

  function askName() {
    find("name").value = reviewer;
    find("asking").showModal();
    find("name").select();
  }

  find("asking").addEventListener("close", () => {
    const name = find("name").value.trim();
    if (name) inTurn(() => greet(name));
    else if (!reviewer) askName();
  });
  find("rename").addEventListener("click", () => inTurn(askName));
  const commands = {
    a: () => decide("accept"),
    r: () => decide("reject"),
    e: () => edit(find("texts").hidden),
    n: () => go(neighbour(1)),
    p: () => go(neighbour(-1)),
    s: keep,
  };
  const buttons = { accept: "a", reject: "r", edit: "e", next: "n", previous: "p" };
  for (const [name, key] of Object.entries(buttons)) {
    // The second click of a double click is for nothing.
    find(name).addEventListener("click", (event) => event.detail < 2 && inTurn(commands[key]));
  }
  find("original").addEventListener("click", () => {
    for (const name of ["question", "answer"]) find(name).value = current[`of_${name}`];
  });
  find("panel").addEventListener("submit", (event) => {
    event.preventDefault();
    inTurn(keep);
  });
  find("search").addEventListener("input", list);
  find("shown").addEventListener("change", () =>
    inTurn(() => {
      list();
      return go(fitting[0]);
    })
  );
  addEventListener("hashchange", (event) => {
    const { hash } = new URL(event.newURL);
    inTurn(() => open(decodeURIComponent(hash.slice(1))));
  });
  const isRating = (key) => /^[1-5]$/.test(key);

  // A key that waited for `e` belongs to the text that is edited now; one that waited for the dialog, to the name.
  function strike(key, target) {
    const field = document.activeElement;
    const command = key === " " ? { ...buttons, save: "s" }[target.id] : key;
    if (field.matches("textarea, #name")) write(key, field);
    else if (isRating(key)) find("panel").elements.score.value = key;
    else if (key === " " && !command) target.click();
    else return commands[command]?.();
  }

  function write(key, field) {
    const { selectionStart: start, selectionEnd: end } = field;
    if (key !== "Backspace") field.setRangeText(key, start, end, "end");
    else field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end");
  }

  document.addEventListener("keydown", (event) => {
    if (find("asking").open || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("textarea, select, input:not([type=radio])")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const isCommand = event.key in commands || isRating(event.key);
    const isText = event.key.length === 1 || event.key === "Backspace";
    if (!isText || !(isCommand || waiting)) return;
    event.preventDefault();
    // A key that is held down decides on one item only.
    if (!(event.repeat && "ar".includes(event.key))) inTurn(() => strike(event.key, event.target));
  });

  ask("/items").then(
    (found) => {
      items = found;
      list();
      if (reviewer) inTurn(() => greet(reviewer));
      else askName();
    },
    (error) => {
      find("nothing").hidden = false;
      find("nothing").textContent = error.message;
    }
  );
})();
