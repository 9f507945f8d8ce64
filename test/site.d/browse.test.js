// Lists with and without JavaScript: the rows always equal those of the API, and Back and reload
// restore them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addressOf, ask, bundled, englishOnly, launch, open, pages, types } from "./lib.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const page50 = "limit=50&match=groups";

const last = (href) => decodeURIComponent(href.split("/").pop());

// Lists: the identities of the rows of a page, and of the records of the API.
const lists = {
  chains: {
    path: "/chains", api: "chains", rows: (body) => body.chains.map((c) => c.slug), selector: "table.rows tbody td.c-name a",
    row: last, sort: "name", word: "arbitrum",
  },
  accounts: { path: "/twitter", api: "twitter/users", always: "followers=any", rows: (body) => body.users.map((u) => u.handle), selector: "table.rows tbody td.c-name a", row: last, word: "ethereum" },
  channels: { path: "/youtube", api: "youtube/channels", rows: (body) => body.channels.map((c) => c.channelId), selector: "ul.list > li > a", row: last, word: "ethereum" },
};

lists.apps = {
  path: "/apps", api: "apps", rows: (body) => body.apps.map((a) => a.key), selector: "ul.grid > li.entry > a", row: last, word: "swap",
};

lists.cards = {
  path: "/cards", api: "nav/cards", rows: (body) => body.cards.map((c) => c.title), selector: "ul.grid > li.entry strong", text: true, sort: "title", word: "swap",
};

const shown = (page, list) => page.$$eval(list.selector, (all, text) => all.map((e) => (text ? e.textContent : e.getAttribute("href"))), list.text).then((all) => (list.text ? all : all.map(list.row)));

// asked returns the API query for the address of a list.
function asked(page) {
  const query = new URLSearchParams([...new URL(page.url()).searchParams].filter(([, value]) => value));
  return query.toString();
}

// same waits until a page shows the rows of the API for a query string.
async function same(page, list, query, language = "en") {
  const { body, total } = await ask(`${list.api}?${[page50, `locale=${language}`, list.always, query].filter(Boolean).join("&")}`);
  const wanted = list.rows(body);
  for (let tries = 0; ; tries++) {
    const rows = await shown(page, list).catch(() => []); // it may be replaced just now
    const count = await page.textContent(".count").catch(() => "");
    const right = (count.match(/\d[\d,.\u202f\u00a0]*/g) ?? []).some((n) => Number(n.replace(/\D/g, "")) === total);
    if (tries < 50 && !(right && JSON.stringify(rows) === JSON.stringify(wanted))) {
      await page.waitForTimeout(100);
      continue;
    }
    assert.deepEqual(rows, wanted, `${page.url()} against ${query}`);
    assert(right, `${page.url()}: ${count} for ${total}`);
    return;
  }
}

// is waits for a state of the page: the target of Back may be fetched first, and its rows and
// counts may equal the previous ones.
async function is(page, selector, otherwise) {
  await page.locator(selector).first().waitFor({ state: "attached", timeout: 5000 }).catch(() => assert.fail(otherwise));
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";
  for (const [name, list] of Object.entries(lists)) {
    test(`${name} ${how}: filter, sort, search, page, Back and reload`, async () => {
      const { page, wrong, close } = await open(browser, { javaScriptEnabled });
      const apply = async () => { if (!javaScriptEnabled) await page.click("form.filters button"); };
      await page.goto(`${bundled}/en${list.path}`);
      await same(page, list, "");

      const box = page.locator("form.filters details[open] input[name=tag]").first();
      const key = await box.getAttribute("value");
      const chosen = `form.filters input[type=checkbox][value="${key}"]`;
      // Without JavaScript, the address of a form also has its empty fields.
      const here = (pair) => new RegExp(`/en${list.path}\\?(.*&)?${pair}(&|$)`);
      await box.check();
      await apply();
      await page.waitForURL(here(`tag=${key}`));
      await same(page, list, asked(page));
      await is(page, `${chosen}:checked`, "the box is not checked any more");
      await page.reload();
      await same(page, list, asked(page));
      await is(page, `${chosen}:checked`, "the box is not checked after a reload");
      await page.goBack();
      await same(page, list, "");
      await is(page, `${chosen}:not(:checked)`, "the box is still checked after Back");
      await page.goForward();
      await same(page, list, asked(page));
      await is(page, `${chosen}:checked`, "the box is not checked after Forward");

      let query = asked(page);
      if (list.sort) {
        await page.click(`.sorts a[href*="sort=${list.sort}"]`);
        await page.waitForURL(/sort=/);
        query = asked(page);
        await same(page, list, query);
      }
      const next = page.locator("a[rel=next]");
      if (await next.count()) {
        await next.click();
        await page.waitForURL(/offset=50/);
        await same(page, list, `${query}&offset=50`);
        await page.reload();
        await same(page, list, `${query}&offset=50`);
        await page.click("a[rel=prev]");
        await page.waitForURL((url) => !url.search.includes("offset"));
        await same(page, list, query);
      }

      await page.goto(`${bundled}/en${list.path}`);
      await page.fill("form.filters input[name=q]", list.word);
      await apply();
      await page.waitForURL(here(`q=${list.word}`));
      await same(page, list, asked(page));
      await page.reload();
      assert.equal(await page.inputValue("form.filters input[name=q]"), list.word);

      await page.click(".pick summary >> nth=0");
      await page.click(".pick a[lang=ja]");
      await page.waitForURL(new RegExp(`/ja${list.path}\\?(.*&)?q=${list.word}`));
      assert.equal(await page.getAttribute("html", "lang"), "ja");
      await same(page, list, asked(page), "ja");
      assert.deepEqual(wrong, []);
      await close();
    });
  }

  test(`every page ${how}: the theme stays, the language changes`, async () => {
    const { page, wrong, close } = await open(browser, { javaScriptEnabled });
    // Without JavaScript, the page cannot be evaluated, so this reads the stylesheet.
    const scheme = async () => (javaScriptEnabled ? page.evaluate(() => getComputedStyle(document.documentElement).colorScheme) : (await page.context().request.get(`${bundled}/theme.css`)).text());
    for (const type of types) {
      await page.goto(addressOf(bundled, type, "en"));
      await page.click(".pick summary >> nth=1");
      const to = (await scheme()).includes("dark") && !(await scheme()).includes("light") ? "light" : "dark";
      await page.click(`.themes button[value=${to}]`);
      await page.waitForLoadState("load");
      await page.goto(addressOf(bundled, type, "en"));
      const now = await scheme();
      assert(now.includes(to) && !(now.includes("light") && now.includes("dark")), `${type}: ${now} for ${to}`);
      await page.click(".pick summary >> nth=0");
      await page.click(".pick a[lang=es]");
      await page.waitForURL(englishOnly.includes(type) ? "**/es/" : `**/es${pages[type][0].replace(/\?.*/, "")}*`);
      assert.equal(await page.getAttribute("html", "lang"), "es", type);
    }
    assert.deepEqual(wrong, []);
    await close();
  });
}

// cardsIn returns all cards of a menu.
const cardsIn = (value) => (value && typeof value === "object" ? Object.entries(value).flatMap(([name, inner]) => (name === "cards" ? inner : cardsIn(inner))) : []);

test("every menu of nav/groups opens with its title and all its cards", async () => {
  const { page, wrong, close } = await open(browser, { javaScriptEnabled: false });
  for (const language of ["en", "zh-hant"]) {
    const { groups } = (await ask(`nav/groups?locale=${language}`)).body;
    for (const { href } of groups.flatMap((g) => g.navs)) {
      const menu = (await ask(`nav/menus/${href.split("/").pop()}?locale=${language}`)).body;
      await page.goto(`${bundled}/${language}${href}`, { waitUntil: "commit" });
      await page.waitForLoadState("domcontentloaded");
      assert.equal(await page.textContent("h1"), menu.title);
      const cards = cardsIn(menu);
      assert.deepEqual((await page.locator("main .entry strong, main .links a").allTextContents()).sort(), cards.map((c) => c.title).sort(), href);
    }
  }
  assert.deepEqual(wrong, []);
  await close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`search ${javaScriptEnabled ? "as one types" : "without JavaScript"}: the results of the API, by kind, with arrows`, async () => {
    const { page, wrong, close } = await open(browser, { javaScriptEnabled });
    await page.goto(`${bundled}/en/`);
    await page.fill("#find", "uniswap");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/en/search?q=uniswap");
    const results = async (query) => {
      const wanted = (await ask(`search?locale=en&limit=30&${query}`)).body.results.map((r) => r.title);
      for (let tries = 0; tries < 50; tries++) {
        if (JSON.stringify(await page.locator("[data-results] strong").allTextContents()) === JSON.stringify(wanted)) return wanted;
        await page.waitForTimeout(100);
      }
      assert.deepEqual(await page.locator("[data-results] strong").allTextContents(), wanted);
    };
    await results("q=uniswap");
    await page.fill("#find", "base");
    if (!javaScriptEnabled) await page.keyboard.press("Enter");
    await page.waitForURL("**/en/search?q=base");
    await results("q=base");
    await page.reload();
    await results("q=base");
    if (javaScriptEnabled) {
      await page.focus("#find");
      for (const at of [0, 1, 0, -1]) {
        await page.keyboard.press(at === 0 && (await page.evaluate(() => document.activeElement.id)) !== "find" || at === -1 ? "ArrowUp" : "ArrowDown");
        const now = await page.evaluate(() => [...document.querySelectorAll("[data-results] a:not([rel])")].indexOf(document.activeElement));
        assert.equal(now, at, "where the arrows lead");
      }
      assert.equal(await page.evaluate(() => document.activeElement.id), "find");
    }
    await page.click(".kinds a[href*='kind=chain']");
    await page.waitForURL(/kind=chain/);
    await results("q=base&kind=chain");
    await page.goBack();
    await results("q=base");
    assert.deepEqual(wrong, []);
    await close();
  });
}
