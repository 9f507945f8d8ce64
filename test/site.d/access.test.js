// Accessibility of all pages: axe, the keyboard, narrow screens, and complete languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { addressOf, bundled, englishOnly, greek, hostile, languages, launch, open, repository, types } from "./lib.js";

const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// violations runs all rules of axe in a page.
async function violations(page) {
  await page.evaluate(axe); // not by a script element, which the policy of the page forbids
  return page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary.replace(/\s+/g, " ")}`);
  });
}

const looks = {
  light: { server: bundled, language: "en", options: { colorScheme: "light" } },
  dark: { server: bundled, language: "es", options: { colorScheme: "dark" } },
  "360 px": { server: bundled, language: "zh-hant", options: { viewport: { width: 360, height: 720 } } },
  "right to left": { server: hostile, language: "ar", options: {} },
};
for (const [name, { server, language, options }] of Object.entries(looks)) {
  test(`axe finds nothing: ${name}`, async () => {
    const { page, close } = await open(browser, options);
    const found = [];
    for (const type of types) {
      await page.goto(addressOf(server, type, language));
      // Wide screens show the filters although their disclosure is closed, which axe does not
      // detect.
      await page.evaluate(() => document.getElementById("filters")?.setAttribute("open", ""));
      for (const one of await violations(page)) found.push(`${type}: ${one}`);
    }
    await close();
    assert.deepEqual(found, []);
  });
}

test("right to left is what the pages of such a language say", async () => {
  const { page, close } = await open(browser);
  for (const type of types) {
    await page.goto(addressOf(hostile, type, "ar"));
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).direction), englishOnly.includes(type) ? "ltr" : "rtl", type);
  }
  await close();
});

for (const [name, server, language] of [["bundled", bundled, "es"], ["bundled", bundled, "ja"], ["hostile", hostile, "en"], ["hostile", hostile, "ar"]]) {
  test(`no page is wider than the screen: ${name}, ${language}`, async () => {
    const { page, close } = await open(browser);
    const wide = [];
    for (const type of types) {
      await page.goto(addressOf(server, type, language));
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const over = await page.evaluate(() => {
          const room = document.documentElement.clientWidth;
          const sticks = (e) => !e.closest(".skip,.pick>:not(summary),pre,.away,header nav,.c-id,svg") && (e.getBoundingClientRect().right > room + 1 || e.getBoundingClientRect().left < -1);
          const out = [...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility() && sticks(e) && ![...e.children].some(sticks));
          if (document.documentElement.scrollWidth <= room && out.length === 0) return ""; // what sticks out at the beginning cannot be scrolled to
          return `${document.documentElement.scrollWidth}: ${out.slice(0, 3).map((e) => `${e.parentElement.className} > ${e.outerHTML.slice(0, 60)}`).join(" | ")}`;
        });
        if (over) wide.push(`${type} ${width}: ${over}`);
      }
    }
    await close();
    assert.deepEqual(wide, []);
  });
}

for (const [language, width] of [["en", 1280], ["en", 360], ["ja", 360]]) test(`Tab reaches everything, in order, and one sees where one is: ${language}, ${width} px`, async () => {
  const { page, close } = await open(browser, { reducedMotion: "reduce", viewport: { width, height: 900 } }); // what moves is not there yet
  for (const type of types) {
    await page.goto(addressOf(bundled, type, language));
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex='0']")];
      const reached = all.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !(e.type === "radio" && !e.checked)); // one stop for all radio buttons
      reached.forEach((e, i) => { e.dataset.tab = i; });
      return reached.length;
    });
    await page.focus(".skip"); // the first; some page has its box of words focused
    const reached = [0];
    for (let i = 0; i < wanted + 20 && reached.at(-1) !== wanted - 1; i++) {
      await page.keyboard.press("Tab");
      const now = await page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e);
        const box = e.getBoundingClientRect();
        return {
          tab: e.dataset.tab === undefined ? null : Number(e.dataset.tab), html: e.outerHTML.slice(0, 100),
          seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        };
      });
      if (now.tab === null) continue; // a box that scrolls
      assert(now.seen, `${type}: one does not see that this has the focus: ${now.html}`);
      reached.push(now.tab);
    }
    assert.deepEqual(reached, [...Array(wanted).keys()], `${type}: what Tab reaches`);
  }
  await close();
});

test("keys: / searches, Escape shuts what is open, the first Tab skips to the content", async () => {
  const { page, close } = await open(browser);
  for (const type of types) {
    await page.goto(addressOf(bundled, type, "en"));
    await page.focus(".skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main", `${type}: the first link skips to the content`);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.name), "q", type);
    for (const which of [0, 1]) {
      const menu = page.locator("details.pick").nth(which);
      await menu.locator("summary").focus();
      await page.keyboard.press("Enter");
      assert(await menu.evaluate((e) => e.open), `${type}: Enter opens a menu`);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      assert(!(await menu.evaluate((e) => e.open)), `${type}: Escape shuts a menu`);
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY", `${type}: the focus goes back`);
    }
  }
  await close();
});

// shownTexts returns the texts of a page, except parts marked with a language or as code, and names of copy buttons, which contain code.
const shownTexts = (page) => page.evaluate(() => {
  const all = [];
  const other = (e) => e.closest("[lang]:not(html),code,pre,script,style,.pick ul") && document.documentElement.lang !== "en";
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const e = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() && !other(e)) all.push(walk.currentNode.data.trim());
  }
  for (const e of document.querySelectorAll("[aria-label],[placeholder],[title],[alt]")) {
    for (const name of ["aria-label", "placeholder", "title", "alt"]) if (e.getAttribute(name) && !other(e) && !e.dataset.copy) all.push(e.getAttribute(name).trim());
  }
  return all;
});

const wordsOf = (language) => JSON.parse(readFileSync(`${repository}/internal/site/words/${language}.json`, "utf8")).texts;
const forms = (text) => (typeof text === "string" ? [text] : Object.values(text ?? {}));
const pattern = (text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, ".+?")}$`);

for (const language of languages.slice(1)) {
  test(`nothing is left in English: ${language}`, async () => {
    const own = wordsOf(language);
    const mine = new Set(Object.values(own).flatMap(forms));
    // A text of only placeholders and symbols has no language.
    const english = Object.values(wordsOf("en")).flatMap(forms).filter((text) => !mine.has(text) && /[A-Za-z]/.test(text.replace(/\{\w+\}/g, ""))).map(pattern);
    const { page, close } = await open(browser);
    const left = [];
    for (const type of types.filter((type) => !englishOnly.includes(type))) {
      await page.goto(addressOf(greek, type, language));
      for (const text of await shownTexts(page)) {
        if (/^(@|[\w-]+\.(com|example)$)/.test(text)) continue; // a handle, a host
        if (english.some((p) => p.test(text))) left.push(`${type}: ${text}`);
        // This catalogue has no Latin letters, so a Latin word belongs to the page.
        if (language !== "es") for (const word of text.match(/[A-Za-z]{3,}/g) ?? []) if (!names.has(word)) left.push(`${type}: ${word} in “${text}”`);
      }
    }
    await close();
    assert.deepEqual([...new Set(left)], []);
  });
}

// Names that are the same in every language, also of files and members.
const names = new Set(["API", "CSV", "SQLite", "gzip", "entry", "json", "tables", "Web", "JSON", "Feed", "TVL", "RPC", "URL", "Markdown", "Atom", "MCP", "OpenAPI", "CAIP", "YouTube", "Vitrine", "llms", "txt", "example", "com", "zzzzz"]);
