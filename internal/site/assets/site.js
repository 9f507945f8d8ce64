// Progressive enhancements. The pages are complete without them: each one does the same as a link
// or a form of the page.
const main = () => document.getElementById("main");

// "/" focuses the search box; arrow keys move through results.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    const box = document.getElementById("find");
    box.focus();
    box.select();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (typing && event.target.type !== "search") return;
  const rows = [...document.querySelectorAll("[data-results] a:not([rel])")];
  if (!rows.length) return;
  const step = event.key === "ArrowDown" ? 1 : -1;
  const at = rows.indexOf(document.activeElement);
  if (at < 0 && !typing) return;
  event.preventDefault();
  if (at + step < 0) document.querySelector("main input[type=search], #find").focus();
  else rows[Math.min(at + step, rows.length - 1)].focus();
});

// Recently shown pages by address, so that returning to a query needs no request.
const recent = new Map();
const recentMost = 20, recentFor = 60_000; // pages, and milliseconds
function remember(address, text) {
  recent.delete(address);
  recent.set(address, { text, until: performance.now() + recentFor });
  if (recent.size > recentMost) recent.delete(recent.keys().next().value);
}

// load returns the text of a page: { text }, { wait } with the seconds until the server accepts
// the request, { limited } without such a time, or { failed }.
let notBefore = 0; // when the server takes requests again
async function load(address, signal) {
  const kept = recent.get(address);
  if (kept && kept.until > performance.now()) return { text: kept.text };
  if (notBefore > performance.now()) return { wait: Math.ceil((notBefore - performance.now()) / 1000) };
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal });
    if (answer.status === 429 || answer.status === 503) {
      const wait = Number(answer.headers.get("Retry-After"));
      if (!(wait > 0)) return { limited: true };
      notBefore = performance.now() + wait * 1000;
      return { wait };
    }
    if (!answer.ok) return { failed: true };
    const text = await answer.text();
    remember(address, text);
    return { text };
  } catch {
    return { failed: true };
  }
}

// tell has screen readers announce a text. Its element stays while pages replace each other.
const announcer = document.getElementById("said");
let telling;
function tell(text) {
  clearTimeout(telling);
  announcer.textContent = "";
  telling = setTimeout(() => { announcer.textContent = text; }, 50); // so that a repeated text is a change
}

// controlOf returns a function that finds the same control in the next content of <main>.
function controlOf(control) {
  if (!control?.closest?.("main")) return () => null;
  if (control.id) return () => document.getElementById(control.id);
  if (!control.form || !control.name) return () => null;
  return () => [...main().querySelectorAll(`form [name="${control.name}"]`)].find((other) => other.value === control.value);
}

// say hides the rows of an outdated query and states the reason.
function say(text) {
  const list = main().querySelector("section[aria-labelledby=title]") ?? main();
  for (const part of list.children) if (!part.matches("header, form")) part.hidden = true;
  for (const part of main().querySelectorAll(".count, .kinds, .chips")) part.hidden = true;
  const said = document.createElement("p");
  said.className = "note said";
  said.role = "alert";
  said.textContent = text;
  main().querySelector(".said")?.remove();
  const after = list.querySelector(":scope > form");
  if (after) after.after(said);
  else list.prepend(said);
  shown = "";
}

// nameOf returns a key that identifies a disclosure of a page.
const nameOf = (details) => details.id || details.querySelector("summary").textContent;

// Pages of this site replace the content of <main>, so that scripts, styles and the head stay.
// Only the latest call counts: it aborts the previous request, unless both are for the same page.
// A rejected request is repeated when the server accepts it again. The result is true if the page
// is or will be shown.
const longest = 60; // seconds that are waited for
let shown = location.href.split("#")[0];
let turn = 0, again, inflight;
function begin(address) {
  if (inflight?.address === address) return inflight;
  inflight?.stop.abort();
  const stop = new AbortController();
  return (inflight = { address, stop, loaded: load(address, stop.signal) });
}
async function show(address, options = {}) {
  const { history: entry = "", focus = false, typing = false } = options;
  const own = ++turn;
  clearTimeout(again);
  const mine = begin(address);
  const { text, wait, limited, failed } = await mine.loaded;
  if (inflight === mine) inflight = undefined;
  if (own !== turn) return true; // a later one is on its way
  if (failed) {
    if (typing) say(main().dataset.failed);
    return typing;
  }
  if (limited || wait > longest) {
    say(main().dataset.limited);
    return true;
  }
  if (wait) {
    say(main().dataset.wait.replace("{n}", wait));
    again = setTimeout(() => show(address, options), wait * 1000 + Math.random() * 500);
    return true;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  if (shown && !recent.has(shown)) remember(shown, document.documentElement.outerHTML);
  const kept = document.activeElement;
  const find = controlOf(kept);
  const isSearch = kept?.type === "search";
  const [start, end, typed] = isSearch ? [kept.selectionStart, kept.selectionEnd, kept.value] : [];
  const open = new Map([...main().querySelectorAll("details")].map((d) => [nameOf(d), d.open]));
  main().replaceChildren(...page.getElementById("main").childNodes);
  for (const d of main().querySelectorAll("details")) d.open = open.get(nameOf(d)) ?? d.open;
  for (const part of ["footer.site", ".pick ul", ".themes"]) {
    const [now, next] = [document.querySelector(part), page.querySelector(part)];
    if (now && next) now.replaceWith(next);
  }
  document.title = page.title;
  shown = address.split("#")[0];
  if (entry) history[`${entry}State`]({ live: true }, "", address);
  const same = find();
  if (same) {
    if (isSearch) same.value = typed;
    same.focus({ preventScroll: true });
    if (isSearch) same.setSelectionRange(start, end);
  } else if (focus) main().focus({ preventScroll: true });
  chooseAgain();
  look();
  tell(main().querySelector(".count")?.textContent ?? "");
  return true;
}

const addressOf = (form) => {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const said = name === "q" ? value.trim().replace(/\s+/g, " ") : value;
    if (said) data.append(name, said);
  }
  if (!data.has("q") && data.get("sort") === "relevance") data.delete("sort"); // nothing to go by
  const query = data.toString();
  return form.action.split("?")[0] + (query ? "?" + query : "");
};

// On narrow screens the filters are a disclosure above the rows.
const isNarrow = () => matchMedia("(max-width:800px)").matches;

// Filter forms submit on change; text fields after a pause in typing.
const rest = 300; // milliseconds
let pause;
const go = async (form) => {
  const to = addressOf(form);
  clearTimeout(pause);
  if (to !== shown && !(await show(to, { history: "push" }))) location.assign(to);
};
addEventListener("change", (event) => {
  const form = event.target.closest("form[data-live]");
  if (form && event.target.type !== "search") go(form);
});
function typed(event) {
  const form = event.target.closest?.("form[data-live]");
  if (!form || event.target.type !== "search" || event.isComposing) return; // not before a word is written
  clearTimeout(pause);
  pause = setTimeout(() => {
    const to = addressOf(form);
    if (to !== shown) return show(to, { history: "replace", typing: true });
    turn++; // what is asked for is here
    inflight?.stop.abort();
    inflight = undefined;
  }, rest);
}
addEventListener("input", typed);
addEventListener("compositionend", typed);
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form.themes")) return theme(event);
  if (!form.matches("form[data-live]")) return;
  event.preventDefault();
  const panel = form.closest("details");
  go(form).then(() => {
    if (!panel || !isNarrow()) return;
    document.getElementById("filters").open = false; // "Show 310" leads to the rows
    main().focus({ preventScroll: true });
    document.getElementById("title").scrollIntoView();
  });
});
// A comparison has at most four records. Chosen ones stay when the rows change: those without a row are
// boxes beside the button.
const chosen = new Map(); // names by key, in the order of choice
function chooseAgain() {
  const form = document.getElementById("compare");
  if (!form) return;
  const boxes = [...form.elements].filter((e) => e.type === "checkbox");
  for (const box of boxes) box.checked = chosen.has(box.value);
  for (const [key, name] of chosen) {
    if (boxes.some((box) => box.value === key)) continue;
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "chain", value: key, checked: true });
    box.setAttribute("form", "compare");
    label.append(box, ` ${name}`);
    form.append(label);
  }
  limitChosen(form);
}
function limitChosen(form) {
  for (const box of form.elements) if (box.type === "checkbox") box.disabled = chosen.size >= 4 && !box.checked;
}
addEventListener("change", (event) => {
  const box = event.target;
  if (box.form?.id !== "compare") return;
  if (box.checked) chosen.set(box.value, box.closest("tr").querySelector("a").textContent);
  else if (chosen.delete(box.value)) box.closest("label")?.remove();
  limitChosen(document.getElementById("compare"));
});

// A click on a chosen filter removes it in place.
addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-live]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!(await show(link.href, { history: "push" }))) return location.assign(link.href);
  (main().querySelector(".chips a") ?? main()).focus({ preventScroll: true });
});
history.replaceState({ live: true }, "");
addEventListener("popstate", async (event) => {
  if (event.state && event.state.live && !(await show(location.href))) location.reload();
});

// After Back to a page from the browser's cache, the forms get the values of its rows again.
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.querySelectorAll("form[data-live]")) form.reset();
  for (const box of document.querySelectorAll("tr [form=compare]:checked")) chosen.set(box.value, box.closest("tr").querySelector("a").textContent);
});

// The theme is a cookie, which a script in the head reads before the first paint.
function theme(event) {
  event.preventDefault();
  const to = event.submitter.value;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `theme=${to}; path=/; max-age=31536000; samesite=lax${secure}`;
  document.documentElement.style.colorScheme = to === "auto" ? "light dark" : to;
  event.target.closest("details").open = false;
}

// Menus of the header close on a click elsewhere; buttons copy; loaded logos replace monograms.
addEventListener("click", async (event) => {
  for (const open of document.querySelectorAll("details.pick[open]")) if (!open.contains(event.target)) open.open = false;
  const copy = event.target.closest("[data-copy]");
  if (!copy) return;
  if (!(await copied(copy.dataset.copy))) {
    const shown = copy.previousElementSibling ?? copy.parentElement.nextElementSibling;
    if (shown) getSelection().selectAllChildren(shown);
    return tell(main().dataset.uncopied);
  }
  copy.setAttribute("data-done", "");
  setTimeout(() => copy.removeAttribute("data-done"), 1500);
  tell(main().dataset.copied);
});

// copied copies a text and returns whether the browser allowed it. Pages that are not served over
// https have no navigator.clipboard.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* the older way */ }
  const from = document.activeElement;
  const box = document.createElement("textarea");
  box.value = text;
  box.className = "away";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  from.focus({ preventScroll: true });
  return done;
}

// A browser wallet adds a chain with the JSON that the page shows (EIP-3085).
addEventListener("click", async (event) => {
  const button = event.target.closest("[data-wallet] button");
  if (!button || button.ariaBusy === "true") return;
  const box = button.closest("[data-wallet]");
  const say = (what) => { box.querySelector("[role=status]").textContent = box.dataset[what]; };
  button.ariaBusy = "true";
  say("asked");
  try {
    await window.ethereum.request({ method: "wallet_addEthereumChain", params: [JSON.parse(document.querySelector(".wallet code").textContent)] });
    say("added");
  } catch (error) {
    say(error?.code === 4001 ? "declined" : "failed"); // EIP-1193: the user said no
  }
  button.ariaBusy = "false";
});
addEventListener("ethereum#initialized", () => look()); // some wallets come late

addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector("details.pick[open]");
  if (open) { open.open = false; open.querySelector("summary").focus(); }
});
const seen = (image) => image.naturalWidth && image.setAttribute("data-seen", "");
addEventListener("load", (event) => { if (event.target instanceof HTMLImageElement) seen(event.target); }, true);

// Search boxes without live results suggest titles in the reader's language. Choosing one opens its page, or
// searches for a record without one.
const pagesOf = { chain: "chains", app: "apps", user: "twitter", channel: "youtube", menu: "nav" };
let suggesting, suggested = new Map(); // results by the text of their suggestion
function choose(box) {
  const { kind, key } = suggested.get(box.value);
  if (!pagesOf[kind]) return box.form.requestSubmit();
  location.assign(`${document.querySelector("a.brand").href}${pagesOf[kind]}/${encodeURIComponent(key)}`);
}
// optionOf returns the option of a result. Browsers offer an option only if it has what was typed.
function optionOf(text, { title, matched }, q) {
  const option = Object.assign(document.createElement("option"), { value: text });
  if (matched && !text.toLowerCase().includes(q.toLowerCase())) option.label = `${title} · ${matched}`;
  return option;
}
addEventListener("input", (event) => {
  const box = event.target;
  if (box.type !== "search" || box.name !== "q" || box.form.matches("[data-live]")) return;
  clearTimeout(suggesting);
  let list = document.getElementById("suggestions");
  if (!list) {
    list = document.createElement("datalist");
    list.id = "suggestions";
    document.body.append(list);
  }
  const typed = event.inputType !== undefined && event.inputType !== "insertReplacementText";
  if (!typed && suggested.has(box.value)) return choose(box);
  box.setAttribute("list", list.id);
  const q = box.value.trim();
  if (q.length < 2) return list.replaceChildren();
  suggesting = setTimeout(async () => {
    if (notBefore > performance.now()) return;
    const answer = await fetch(new URL(`../api/open/search?${new URLSearchParams({ q, limit: 8, locale: document.documentElement.lang })}`, import.meta.url)).catch(() => null);
    if (answer?.status === 429) notBefore = performance.now() + Number(answer.headers.get("Retry-After")) * 1000;
    if (!answer?.ok || box.value.trim() !== q) return;
    suggested = new Map();
    for (const result of (await answer.json()).results) suggested.set(suggested.has(result.title) ? `${result.title} · ${result.key}` : result.title, result);
    list.replaceChildren(...[...suggested].map(([text, result]) => optionOf(text, result, q)));
  }, 300);
});

// The sidebar of a menu marks the current position.
let watch;
function look() {
  for (const image of document.images) if (image.complete) seen(image);
  for (const button of document.querySelectorAll("[data-show]")) if (isNarrow()) button.textContent = button.dataset.show;
  for (const box of document.querySelectorAll("[data-wallet]")) box.hidden = !window.ethereum?.request;
  if (watch) watch.disconnect();
  const links = new Map([...document.querySelectorAll("ul.toc a[href^='#']")].map((a) => [a.hash.slice(1), a]));
  if (!links.size) return;
  watch = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) {
      for (const a of links.values()) a.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -70% 0px" });
  for (const id of links.keys()) { const at = document.getElementById(id); if (at) watch.observe(at); }
}
look();
