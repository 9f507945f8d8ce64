// What makes the pages quicker. They are complete without it: each thing here does what a
// link or a form of the page does by itself.
const main = () => document.getElementById("main");

// "/" goes to the search box, arrows walk through results.
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

// Pages of this site replace what is in <main>, so that scripts, styles and the head stay.
let latest = 0;
async function show(address, { push = true, focus = false } = {}) {
  const turn = ++latest;
  let page;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) return false;
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return false;
  }
  if (turn !== latest) return true; // a later one is on its way
  const kept = document.activeElement;
  const name = kept && kept.closest && kept.closest("main") ? kept.id : "";
  const [start, end] = name && kept.selectionStart !== undefined && kept.type === "search" ? [kept.selectionStart, kept.selectionEnd] : [];
  const typed = name && kept.type === "search" ? kept.value : null;
  const shut = [...main().querySelectorAll("details")].map((d) => d.open);
  main().replaceChildren(...page.getElementById("main").childNodes);
  main().querySelectorAll("details").forEach((d, i) => { if (i < shut.length && shut.length === main().querySelectorAll("details").length) d.open = shut[i]; });
  for (const part of ["footer.site", ".pick ul", ".themes"]) {
    const [now, next] = [document.querySelector(part), page.querySelector(part)];
    if (now && next) now.replaceWith(next);
  }
  document.title = page.title;
  if (push) history.pushState({ live: true }, "", address);
  const again = name && document.getElementById(name);
  if (again) {
    if (typed !== null) again.value = typed;
    again.focus({ preventScroll: true });
    if (start !== undefined && typed !== null) again.setSelectionRange(start, end);
  } else if (focus) main().focus({ preventScroll: true });
  look();
  return true;
}

const addressOf = (form) => {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) data.append(name, value);
  if (!data.has("q") && data.get("sort") === "relevance") data.delete("sort"); // nothing to go by
  const query = data.toString();
  return form.action.split("?")[0] + (query ? "?" + query : "");
};

// Forms that filter do so at once.
let pause;
const go = async (form, push) => { const to = addressOf(form); if (!(await show(to, { push })) && push) location.assign(to); };
addEventListener("change", (event) => {
  const form = event.target.closest("form[data-live]");
  if (form && event.target.type !== "search") go(form, true);
});
addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form || event.target.type !== "search") return;
  clearTimeout(pause);
  pause = setTimeout(async () => {
    const to = addressOf(form);
    if (await show(to, { push: false })) history.replaceState({ live: true }, "", to);
  }, 160);
});
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form.themes")) return theme(event);
  if (!form.matches("form[data-live]")) return;
  event.preventDefault();
  clearTimeout(pause);
  go(form, true);
});
history.replaceState({ live: true }, "");
addEventListener("popstate", async (event) => {
  if (event.state && event.state.live && !(await show(location.href, { push: false }))) location.reload();
});

// Back to a page that the browser kept: its forms say again what its rows are.
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.querySelectorAll("form[data-live]")) form.reset();
});

// The theme is a cookie that the server reads for /theme.css.
function theme(event) {
  event.preventDefault();
  const to = event.submitter.value;
  document.cookie = `theme=${to}; path=/; max-age=31536000; samesite=lax`;
  document.documentElement.style.colorScheme = to === "auto" ? "light dark" : to;
  event.target.closest("details").open = false;
}

// Menus of the head shut when one looks elsewhere; buttons copy; monograms leave.
addEventListener("click", async (event) => {
  for (const open of document.querySelectorAll("details.pick[open]")) if (!open.contains(event.target)) open.open = false;
  const copy = event.target.closest("[data-copy]");
  if (!copy) return;
  await navigator.clipboard.writeText(copy.dataset.copy);
  copy.setAttribute("data-done", "");
  setTimeout(() => copy.removeAttribute("data-done"), 1500);
});

// A wallet in the browser is told of a chain by the JSON that its page shows (EIP-3085).
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

// The sidebar of a menu says where one is.
let watch;
function look() {
  for (const image of document.images) if (image.complete) seen(image);
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
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
