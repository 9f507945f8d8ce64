// What people do with lists: filter on a phone, share, compare, copy. The rows themselves are tested in browse.test.js.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bundled, launch, open } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const phone = { viewport: { width: 360, height: 780 }, reducedMotion: "reduce" };

test("filters of a phone: above the rows, the focus stays, counts are announced, Show leads to the rows, chips remove", async () => {
  const { page, wrong, close } = await open(browser, phone);
  await page.goto(`${bundled}/en/chains`);
  const top = (selector) => page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().top + scrollY);
  assert(await top("#filters > summary") < await top("table.rows"), "the filters are above the rows");
  await page.evaluate(() => { document.getElementById("said").dataset.same = "yes"; });
  await page.click("#filters > summary");
  const box = page.locator('form.filters [value="layer-2"]');
  await box.focus();
  await page.keyboard.press("Space");
  await page.waitForURL(/tag=layer-2/);
  await page.locator("h1", { hasText: "Layer 2 chains" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.value), "layer-2", "the focus stays on the checkbox");
  assert(await page.locator("#filters").evaluate((e) => e.open), "the filters stay open");
  const count = await page.textContent(".count");
  await page.waitForFunction((text) => document.querySelector("#said[data-same]").textContent === text, count);
  const show = page.locator("form.filters .do button");
  assert.equal(await show.textContent(), `Show ${count.match(/^[\d,]+/)[0]}`);
  await page.evaluate(() => scrollTo(0, document.querySelector("#filters").offsetTop));
  const at = await show.boundingBox();
  assert(at.y >= 0 && at.y + at.height <= 780, `the button is at ${at.y}`);
  await show.click();
  await page.waitForFunction(() => !document.getElementById("filters").open);
  const first = await page.locator("table.rows tbody tr").first().boundingBox();
  assert(first.y > 0 && first.y < 780, `the first row is at ${first.y}`);
  assert.equal(await page.title(), "Layer 2 chains · Vitrine Web3 directory");
  await page.click(".chips a");
  await page.waitForURL((url) => !url.search);
  assert.equal(await page.textContent("h1"), "Chains");
  assert.deepEqual(wrong, []);
  await close();
});

test("two chains of a list are compared without JavaScript, at most four with it", async () => {
  const plain = await open(browser, { ...phone, javaScriptEnabled: false });
  await plain.page.goto(`${bundled}/en/chains?tag=layer-2`);
  assert(!(await plain.page.locator("#compare").isVisible()), "nothing is chosen yet");
  for (const slug of ["base", "arbitrum-one"]) await plain.page.check(`[form=compare][value="${slug}"]`);
  await plain.page.click("#compare button");
  await plain.page.waitForURL(/compare\?chain=base&chain=arbitrum-one$/);
  assert.equal(await plain.page.textContent("h1"), "Compare Base, Arbitrum One");
  assert.deepEqual(plain.wrong, []);
  await plain.close();
  const { page, close } = await open(browser);
  await page.goto(`${bundled}/en/chains`);
  const boxes = page.locator("[form=compare]");
  for (let i = 0; i < 4; i++) await boxes.nth(i).check();
  assert(await boxes.nth(4).isDisabled());
  await boxes.nth(0).uncheck();
  assert(!(await boxes.nth(4).isDisabled()));
  await close();
});

test("chosen chains stay when a filter hides their rows", async () => {
  const { page, wrong, close } = await open(browser);
  await page.goto(`${bundled}/en/chains?q=base`);
  await page.check('tr [form=compare][value="base"]');
  await page.fill("#q", "arbitrum one");
  await page.waitForURL(/q=arbitrum\+one/);
  await page.check('tr [form=compare][value="arbitrum-one"]');
  assert.equal(await page.textContent("#compare label"), " Base");
  await page.fill("#q", "base");
  await page.waitForURL(/q=base/);
  assert(await page.isChecked('tr [form=compare][value="base"]'));
  assert.equal(await page.textContent("#compare label"), " Arbitrum One");
  await page.click("#compare button");
  await page.waitForURL(/compare\?.*chain=base/);
  assert.match(await page.textContent("h1"), /Base/);
  assert.match(await page.textContent("h1"), /Arbitrum One/);
  assert.deepEqual(wrong, []);
  await close();
});

for (const [how, setup] of [
  ["with the clipboard", (context) => context.grantPermissions(["clipboard-read", "clipboard-write"])],
  ["without navigator.clipboard", (context) => context.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))],
  ["where copying is not allowed", (context) => context.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  })],
]) {
  test(`the first endpoint of a chain is copied: ${how}`, async () => {
    const { page, context, wrong, close } = await open(browser, phone);
    await setup(context);
    await page.goto(`${bundled}/en/chains/arbitrum-one`);
    const button = page.locator(".endpoint .copy");
    const box = await button.boundingBox();
    assert(box.y + box.height <= 780, `the button is at ${box.y}`);
    const address = await page.textContent(".endpoint code");
    assert.equal(await button.getAttribute("aria-label"), `Copy ${address}`);
    await button.click();
    const failed = how.startsWith("where");
    await page.waitForFunction((text) => document.getElementById("said").textContent.startsWith(text), failed ? "Your browser does not allow" : "Copied.");
    if (failed) assert.equal(await page.evaluate(() => getSelection().toString()), address);
    if (how.startsWith("with the")) assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    assert.deepEqual(wrong, []);
    await close();
  });
}

test("the theme needs no stylesheet: it is there at the first paint", async () => {
  const { page, context, close } = await open(browser, { colorScheme: "light" });
  await context.addCookies([{ name: "theme", value: "dark", url: bundled }]);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${bundled}/en/chains`, { waitUntil: "commit" });
  await page.waitForFunction(() => document.body);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.waitForLoadState("load");
  assert.equal(asked.filter((path) => path.endsWith(".css")).length, 1, `${asked}`);
  await close();
});
