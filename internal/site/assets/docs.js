// Sends requests of the API page and shows the responses in place, keeps the curl commands up to date,
// and filters the operations.
const addressOf = (form) => {
  let path = form.dataset.try;
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || !field.value) continue;
    if ("path" in field.dataset) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else query.append(field.name, field.value);
  }
  return new URL(`..${path}${query.size ? "?" + query : ""}`, import.meta.url).href; // the server may be below a path
};

// A value in single quotes for a shell.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
function write(form) {
  const command = `curl ${quoted(addressOf(form))}`;
  form.querySelector(".curl code").textContent = command;
  form.querySelector("[data-copy]").dataset.copy = command;
}
for (const form of document.querySelectorAll("form[data-try]")) {
  write(form);
  form.addEventListener("input", () => write(form));
}

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-try]")) return;
  event.preventDefault();
  const address = addressOf(form);
  const status = form.querySelector("[role=status]");
  const began = performance.now();
  status.textContent = "…";
  form.parentElement.querySelector(".response")?.remove();
  try {
    const answer = await fetch(address);
    const text = await answer.text();
    const head = ["Content-Language", "Total-Count", "ETag", "RateLimit", "Link"].map((name) => [name, answer.headers.get(name)]).filter(([, value]) => value);
    let body = text;
    try { body = JSON.stringify(JSON.parse(text), null, 2); } catch { /* shown as it came */ }
    const most = 20000;
    if (body.length > most) body = body.slice(0, most) + "\n…";
    const box = document.createElement("details");
    box.className = "response";
    box.open = true;
    box.append(document.createElement("summary"), document.createElement("pre"));
    box.firstChild.textContent = "Response";
    box.lastChild.tabIndex = 0;
    box.lastChild.textContent = [`GET ${address}`, ...head.map(([name, value]) => `${name}: ${value}`), "", body].join("\n");
    form.after(box);
    status.textContent = `${answer.status} · ${Math.round(performance.now() - began)} ms · ${text.length} characters`;
  } catch (error) {
    status.textContent = String(error);
  }
});

// The filter keeps operations whose path, summary, parameters or fields have all words.
const filter = document.querySelector("[data-filter]");
if (filter) {
  const links = [...document.querySelectorAll("a[data-words]")];
  filter.addEventListener("input", () => {
    const words = filter.querySelector("input").value.toLowerCase().split(/\s+/);
    let n = 0;
    for (const link of links) {
      const text = `${link.textContent} ${link.dataset.words}`.toLowerCase();
      const shown = words.every((word) => text.includes(word));
      link.parentElement.hidden = !shown;
      document.querySelector(link.hash).hidden = !shown;
      n += shown;
    }
    document.getElementById("filtered").textContent = n === links.length ? "" : `${n} of ${links.length} operations`;
  });
}
