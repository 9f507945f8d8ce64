// A browser wallet adds a chain with the data on its page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { bundled, launch, open, repository } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const words = (language) => JSON.parse(readFileSync(`${repository}/internal/site/words/${language}.json`, "utf8")).texts;

// withWallet opens a page in a browser with a wallet. It records requests, and responds when
// answer is called in the page, with an error if one is given.
async function withWallet() {
  const opened = await open(browser);
  await opened.context.addInitScript(() => {
    window.asked = [];
    window.ethereum = { request: (what) => new Promise((done, fail) => { window.asked.push(what); window.answer = (error) => (error ? fail(error) : done(null)); }) };
  });
  return opened;
}

for (const language of ["en", "ja"]) {
  test(`a chain is added to the wallet: ${language}`, async () => {
    const { page, wrong, close } = await withWallet();
    const texts = words(language);
    await page.goto(`${bundled}/${language}/chains/base`);
    const button = page.getByRole("button", { name: texts["wallet.add"], exact: true });
    const said = page.locator("[data-wallet] [role=status]");
    await button.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.asked.length === 1);
    assert.equal(await said.textContent(), texts["wallet.asked"]);
    await button.click(); // while the wallet has not answered, it is not asked again
    const told = JSON.parse(await page.textContent(".wallet code"));
    assert.deepEqual(await page.evaluate(() => window.asked), [{ method: "wallet_addEthereumChain", params: [told] }]);
    assert.equal(told.chainId, "0x2105");
    assert(told.rpcUrls.length > 0 && told.nativeCurrency.decimals === 18);
    const answers = [[null, "wallet.added"], [{ code: 4001 }, "wallet.declined"], [{ code: -32603 }, "wallet.failed"], [null, "wallet.added"]];
    for (const [i, [error, text]] of answers.entries()) {
      if (i > 0) await button.click();
      await page.waitForFunction((n) => window.asked.length === n, i + 1);
      await page.evaluate((e) => window.answer(e), error);
      await page.waitForFunction(() => document.querySelector("[data-wallet] button").ariaBusy === "false");
      assert.equal(await said.textContent(), texts[text]);
    }
    assert.deepEqual(wrong, []);
    await close();
  });
}

test("nothing is offered without a wallet, nor for a chain that wallets cannot have", async () => {
  const without = await open(browser);
  await without.page.goto(`${bundled}/en/chains/base`);
  await without.page.waitForFunction(() => history.state?.live); // the module has run
  assert.equal(await without.page.locator("[data-wallet]").isVisible(), false);
  // A late wallet announces itself.
  await without.page.evaluate(() => { window.ethereum = { request: () => new Promise(() => {}) }; dispatchEvent(new Event("ethereum#initialized")); });
  assert.equal(await without.page.locator("[data-wallet]").isVisible(), true);
  await without.close();
  const other = await withWallet();
  await other.page.goto(`${bundled}/en/chains/solana`);
  assert.equal(await other.page.textContent("h1"), "Solana");
  assert.equal(await other.page.locator("[data-wallet]").count(), 0);
  await other.close();
});
