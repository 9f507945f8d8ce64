// Requests of a search while typing, and the page for a rejected one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, bundled, languages, launch, limited, open, repository } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const rows = "[data-results] > li";

// counting returns the addresses that a page requests from now on.
function counting(page) {
  const asked = [];
  page.on("request", (request) => { if (request.resourceType() === "fetch") asked.push(new URL(request.url()).searchParams.get("q")); });
  return asked;
}

const found = (page, q) => page.waitForFunction((q) => new URL(location.href).searchParams.get("q") === q && document.querySelector("[data-results] > li:not([hidden])"), q);

test("a word that is typed is asked for once, and not again when one comes back to it", async () => {
  const { page, wrong, close } = await open(browser);
  await page.goto(`${bundled}/en/search?q=base`);
  const asked = counting(page);
  const box = page.locator("main input[type=search]");
  await box.fill("");
  await box.pressSequentially("arbitrum", { delay: 40 });
  await found(page, "arbitrum");
  assert.deepEqual(asked, ["arbitrum"]);
  await box.press("Enter");
  await box.pressSequentially("  ", { delay: 40 });
  await page.waitForTimeout(600);
  assert.deepEqual(asked, ["arbitrum"], "the same words");
  await box.fill("optimism");
  await found(page, "optimism");
  await box.fill("arbitrum");
  await found(page, "arbitrum");
  await box.fill("base");
  await found(page, "base");
  assert.deepEqual(asked, ["arbitrum", "optimism"]);
  assert.deepEqual(wrong, []);
  await close();
});

test("a request that is no longer wanted is cancelled", async () => {
  const { page, context, close } = await open(browser);
  await page.goto(`${bundled}/en/search`);
  let release;
  const held = new Promise((done) => { release = done; });
  await context.route(/q=slow/, async (route) => { await held; await route.continue().catch(() => {}); });
  const cancelled = page.waitForEvent("requestfailed", (request) => /q=slow/.test(request.url()));
  const box = page.locator("main input[type=search]");
  const begun = page.waitForEvent("request", (request) => /q=slow/.test(request.url()));
  await box.fill("slow");
  await begun;
  await box.fill("base");
  assert.match((await cancelled).failure().errorText, /ABORTED/);
  release();
  await found(page, "base");
  assert.equal(await box.inputValue(), "base");
  await close();
});

// spend exhausts the quota of pages.
async function spend(page) {
  for (let i = 0; i < 100; i++) {
    const answer = await page.request.get(`${limited}/en/chains?offset=${i}`);
    if (answer.status() === 429) return Number(answer.headers()["retry-after"]);
  }
  assert.fail("the quota is not spent");
}

for (const language of languages) {
  test(`${language}: a search that is refused says so in place of old results, and goes on when it may`, async () => {
    const { texts } = JSON.parse(readFileSync(join(repository, "internal/site/words", `${language}.json`), "utf8"));
    const { page, close } = await open(browser);
    let answer;
    do answer = await page.goto(`${limited}/${language}/search?q=base`); while (answer.status() === 429 && (await page.waitForTimeout(1000), true));
    assert(await page.locator(rows).count() > 0);
    await spend(page);
    const asked = counting(page);
    const box = page.locator("main input[type=search]");
    await box.fill("arbitrum");
    const said = page.locator(".said");
    await said.waitFor();
    const [before, behind] = texts["live.wait"].split("{n}");
    const text = await said.textContent();
    assert(text.startsWith(before) && text.endsWith(behind) && Number(text.slice(before.length, text.length - behind.length)) > 0, text);
    assert.equal(await said.getAttribute("role"), "alert");
    assert.equal(await page.locator(rows).locator("visible=true").count(), 0, "old results are shown");
    assert.equal(await page.locator(".count").locator("visible=true").count(), 0, "an old count is shown");
    assert.equal(await box.inputValue(), "arbitrum");
    await found(page, "arbitrum");
    assert.equal(await said.count(), 0);
    assert(asked.length <= 3, `it was asked for ${asked.length} times`);
    await close();
  });
}

test("a list that cannot be loaded says so", async () => {
  const { page, context, close } = await open(browser);
  await page.goto(`${bundled}/en/chains`);
  await context.route(/q=broken/, (route) => route.abort());
  await page.locator("main input[type=search]").fill("broken");
  assert.match(await page.locator(".said").textContent(), /could not be loaded/);
  assert.equal(await page.locator("table.rows").locator("visible=true").count(), 0);
  await page.locator("main input[type=search]").fill("");
  await page.locator("table.rows").first().waitFor();
  await close();
});

test("search boxes suggest titles in the language of the page, and open the page of the chosen one", async () => {
  const { page, wrong, close } = await open(browser);
  const choose = async (typed, title) => {
    await page.goto(`${bundled}/ja/news`);
    const box = page.locator("header input[name=q]");
    await box.pressSequentially(typed);
    const option = page.locator(`#suggestions option[value="${title}"]`);
    await option.waitFor({ state: "attached" });
    const label = await option.getAttribute("label");
    await box.evaluate((field, value) => { // as browsers do
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }, title);
    return label;
  };
  assert.equal(await choose("ポリゴンメイン", "ポリゴンメインネット"), null);
  await page.waitForURL("**/ja/chains/polygon-mainnet");
  const chain = (await ask("chains/zksync-mainnet?locale=ja")).body;
  assert.equal(await choose("324", chain.name), `${chain.name} · 324`); // otherwise browsers hide an option without what was typed
  await page.waitForURL("**/ja/chains/zksync-mainnet");
  await choose("ハードウェアウォレット", "ハードウェアウォレット"); // a category, which has no page of its own
  await page.waitForURL((url) => url.pathname === "/ja/search" && url.searchParams.get("q") === "ハードウェアウォレット");
  assert.deepEqual(wrong, []);
  await close();
});
