// Pages must not execute texts of a catalogue, violate their policy, or request anything but
// pictures from other hosts. They must be small, and must not shift while pictures load.
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, test } from "node:test";
import { addressOf, bundled, greek, hostile, launch, open, types } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const [name, server, language] of [["bundled", bundled, "en"], ["hostile", hostile, "en"], ["hostile", hostile, "ar"], ["Greek", greek, "ja"]]) {
  test(`nothing runs, nothing is asked of others: ${name}, ${language}`, async () => {
    const { page, wrong, close } = await open(browser);
    for (const type of types) {
      await page.goto(addressOf(server, type, language), { waitUntil: "load" });
      const bad = await page.evaluate(() => [
        ...[...document.querySelectorAll("[href],[src],[action]")].filter((e) => !/^(https?:|\/|#|\?)/.test(e.getAttribute("href") ?? e.getAttribute("src") ?? e.getAttribute("action"))),
        ...[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on|^style$/.test(a.name))),
        ...document.querySelectorAll("style, script:not([src]):not([type='application/ld+json']):not(#theme), iframe, object, embed"),
        ...[...document.querySelectorAll("a[href^=http]")].filter((a) => new URL(a.href).origin !== location.origin && !/noopener/.test(a.rel)),
      ].map((e) => e.outerHTML.slice(0, 160)));
      assert.deepEqual(bad, [], type);
      for (const one of await page.$$eval("script[type='application/ld+json']", (all) => all.map((s) => s.textContent))) JSON.parse(one);
    }
    assert.deepEqual(wrong, []);
    await close();
  });
}

// fetched returns the raw bytes of a response.
const fetched = (address) => new Promise((done, fail) => {
  get(address, { headers: { "Accept-Encoding": "br", Accept: "text/html" } }, (answer) => {
    let bytes = 0;
    answer.on("data", (part) => { bytes += part.length; });
    answer.on("end", () => done({ bytes, headers: answer.headers }));
  }).on("error", fail);
});

test("pages are light: 50 KB of HTML, 20 KB of style, 10 KB of script, compressed", async () => {
  const { page, close } = await open(browser);
  let most = { bytes: 0 };
  const files = new Map();
  for (const type of types) {
    for (const language of ["en", "ja"]) {
      const address = addressOf(bundled, type, language);
      const { bytes, headers } = await fetched(address);
      assert(bytes <= 50e3, `${address}: ${bytes} bytes`);
      if (type !== "failure") assert.equal(headers["content-encoding"], "br", address);
      if (bytes > most.bytes) most = { bytes, address };
    }
    await page.goto(addressOf(bundled, type, "en"));
    for (const file of await page.$$eval("link[rel=stylesheet],script[src]", (all) => all.map((e) => e.href || e.src))) files.set(file, 0);
  }
  await close();
  for (const file of files.keys()) files.set(file, (await fetched(file)).bytes);
  const sum = (ending) => [...files].filter(([file]) => file.endsWith(ending)).reduce((all, [, bytes]) => all + bytes, 0);
  assert(sum(".css") <= 20e3, `stylesheets: ${sum(".css")} bytes`);
  assert(sum(".js") <= 10e3, `scripts: ${sum(".js")} bytes`);
  console.log(`# largest page ${most.bytes} bytes (${new URL(most.address).pathname}), styles ${sum(".css")}, scripts ${sum(".js")}`);
});

for (const width of [360, 1280]) {
  test(`nothing moves while pictures come: ${width} px`, async () => {
    const { page, close } = await open(browser, { late: 150, viewport: { width, height: 800 } });
    // A slow machine paints while the page arrives.
    const machine = await page.context().newCDPSession(page);
    await machine.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    for (const type of types) {
      await page.goto(addressOf(bundled, type, "en"), { waitUntil: "load" });
      const moved = await page.evaluate(async () => {
        let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; }).observe({ type: "layout-shift", buffered: true });
        await new Promise((done) => setTimeout(done, 500));
        return sum;
      });
      assert(moved < 0.02, `${type}: ${moved}`);
    }
    await close();
  });
}
