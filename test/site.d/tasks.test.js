// What visitors come for, in the number of actions that docs/site.md#tasks states, without scrolling. An action is a
// click, a typed text, a chosen option or a key.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bundled, launch, open, repository } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const screens = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 900 } };
const isPhone = (page) => page.viewportSize().width < 640;

// Each task gets functions that count: click, type, press, select, and choose for a suggestion.
const tasks = {
  "the RPC endpoint of Arbitrum One": async ({ page, type, choose, click }) => {
    await type("#find", "arbitrum one");
    await choose("Arbitrum One", "**/chains/arbitrum-one");
    await click(".endpoint .copy");
    await page.waitForFunction(() => document.getElementById("said").textContent);
  },
  "Base into the wallet": async ({ page, type, choose, click }) => {
    await type("#find", "base");
    await choose("Base", "**/chains/base");
    await click("[data-wallet] button");
    await page.waitForFunction(() => window.asked?.method === "wallet_addEthereumChain");
  },
  "the largest layer 2 chains compared": async ({ page, click, filters, show }) => {
    await click("header nav a[href$='/chains']");
    await filters();
    await click('form.filters [value="layer-2"]');
    await page.waitForURL(/tag=layer-2/);
    await show();
    await click("a.versus");
    await page.locator(".compare tbody tr").first().waitFor();
  },
  "a hardware wallet, in Japanese": async ({ page, type, press, click }) => {
    await type("#find", "ハードウェアウォレット");
    await press("Enter");
    await page.waitForURL(/search/);
    await click("[data-results] a");
    await page.waitForURL("**/ja/apps?tag=hardware-wallet");
  },
  "what ended this year": async ({ page, click }) => {
    await click("header nav a[href$='/news']");
    await click(".kinds a[href*='event=ended']");
    await page.locator("ul.events li .retired").first().waitFor();
  },
  "the chain with the ID 324": async ({ type, choose }) => {
    await type("#find", "324");
    await choose("zkSync Mainnet", "**/chains/zksync-mainnet");
  },
  "two chains compared": async ({ page, type, choose, click, press }) => {
    await type("#find", "base");
    await choose("Base", "**/chains/base");
    await click("a[href*='/compare']");
    await type("input[name=add]", "arbitrum one");
    await press("Enter");
    await page.locator("h1", { hasText: "Compare Base, Arbitrum One" }).waitFor();
  },
  "apps on Solana": async ({ page, click, filters, select, show }) => {
    await click("header nav a[href$='/apps']");
    await filters();
    await select("#chain", "solana");
    await page.waitForURL(/chain=solana/);
    await show();
    await page.locator("h1", { hasText: "Apps: Solana" }).waitFor();
  },
  "the API request behind a list": async ({ page, click }) => {
    await click("header nav a[href$='/chains']");
    await click("main .sub a[href*='/api/open/']");
    await page.waitForURL("**/api/open/chains?*");
  },
  "a filtered list as a link": async ({ page, click, filters }) => {
    await click("header nav a[href$='/chains']");
    await filters();
    await click('form.filters [value="layer-2"]');
    await page.waitForURL((url) => url.search === "?tag=layer-2");
  },
};

// actionsOf returns functions that act only on what is visible without scrolling, and count.
function actionsOf(page) {
  const all = { page, count: 0 };
  const at = async (selector) => {
    const found = page.locator(selector).first();
    const box = await found.boundingBox();
    assert(box && box.y + box.height <= page.viewportSize().height, `${selector} is not on the screen: ${box?.y}`);
    all.count++;
    return found;
  };
  all.click = async (selector) => { await (await at(selector)).click(); await page.waitForLoadState("load"); };
  all.type = async (selector, text) => (await at(selector)).pressSequentially(text);
  all.press = async (key) => { all.count++; await page.keyboard.press(key); };
  all.select = async (selector, value) => (await at(selector)).selectOption(value);
  all.choose = async (title, address) => {
    all.count++;
    await page.waitForSelector(`#suggestions option[value="${title}"]`, { state: "attached" });
    await page.evaluate((value) => { // as browsers do
      const box = document.getElementById("find");
      box.value = value;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }, title);
    await page.waitForURL(address);
    await page.waitForLoadState("load");
  };
  all.filters = async () => { if (isPhone(page)) await all.click("#filters > summary"); };
  all.show = async () => { if (isPhone(page)) await all.click("form.filters .do button"); };
  return all;
}

const stated = new Map(readFileSync(join(repository, "docs/site.md"), "utf8").split("\n").map((line) => line.split("|").map((cell) => cell.trim())).map((cells) => [cells[1], { phone: cells[2], desktop: cells[3] }]));

for (const [name, run] of Object.entries(tasks)) {
  for (const [screen, viewport] of Object.entries(screens)) {
    test(`${name}, on a ${screen}`, async () => {
      const { page, context, wrong, close } = await open(browser, { viewport, reducedMotion: "reduce", locale: name.includes("Japanese") ? "ja-JP" : "en-US" });
      await context.addInitScript(() => { window.ethereum = { request: async (asked) => { window.asked = asked; } }; });
      await page.goto(`${bundled}/`);
      const actions = actionsOf(page);
      await run(actions);
      assert.equal(String(actions.count), stated.get(name)?.[screen]);
      assert.deepEqual(wrong, []);
      await close();
    });
  }
}
