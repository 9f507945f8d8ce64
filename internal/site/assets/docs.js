// Sends requests of the API page and shows the responses in place.
addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-try]")) return;
  event.preventDefault();
  const out = form.querySelector("output");
  let path = form.dataset.try;
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || !field.value) continue;
    if ("path" in field.dataset) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else query.append(field.name, field.value);
  }
  const address = path + (query.size ? "?" + query : "");
  const began = performance.now();
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  try {
    const answer = await fetch(address);
    const text = await answer.text();
    const head = ["Content-Language", "Total-Count", "ETag", "RateLimit", "Link"].map((name) => [name, answer.headers.get(name)]).filter(([, value]) => value);
    let body = text;
    try { body = JSON.stringify(JSON.parse(text), null, 2); } catch { /* shown as it came */ }
    const most = 20000;
    if (body.length > most) body = body.slice(0, most) + "\n…";
    pre.textContent = `GET ${address}\n${answer.status} · ${Math.round(performance.now() - began)} ms · ${text.length} characters\n` +
      head.map(([name, value]) => `${name}: ${value}`).join("\n") + "\n\n" + body;
  } catch (error) {
    pre.textContent = `GET ${address}\n${error}`;
  }
  out.replaceChildren(pre);
});
