// Common parts of the tests: the list of pages, a watched browser, the API.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const need = (name) => {
  assert(process.env[name], `${name} is not set: run test/site`);
  return process.env[name];
};

// Servers of the bundled catalogue and of those of catalogue.js.
export const bundled = need("SITE_BUNDLED");
export const hostile = need("SITE_HOSTILE");
export const greek = need("SITE_GREEK");
export const limited = need("SITE_LIMITED"); // the bundled catalogue, with a quota of 20 pages a minute
export const repository = need("SITE_REPOSITORY");
export const languages = ["en", "zh-hans", "zh-hant", "ja", "es"];

// One page of each type: its path in the bundled catalogue and in the others.
export const pages = {
  first: ["/", "/"],
  menus: ["/nav", "/nav"],
  menu: ["/nav/wallets", "/nav/m"],
  cards: ["/cards", "/cards"],
  categories: ["/categories", "/categories"],
  news: ["/news", "/news"],
  changes: ["/changes", "/changes"],
  data: ["/data", "/data"],
  chains: ["/chains", "/chains"],
  chain: ["/chains/base", "/chains/x"],
  retired: ["/chains/kadena", "/chains/gone"],
  apps: ["/apps", "/apps"],
  app: ["/apps/uniswap", "/apps/a"],
  accounts: ["/twitter", "/twitter"],
  account: ["/twitter/ethereum", "/twitter/someone"],
  channels: ["/youtube", "/youtube"],
  channel: ["/youtube/UCNOfzGXD_C9YMYmnefmPH0g", "/youtube/UC0000000000000000000000"],
  compare: ["/compare?chain=base&chain=arbitrum-one&chain=solana", "/compare?chain=x&chain=gone"],
  search: ["/search?q=base", "/search?q=c"],
  "search for nothing": ["/search", "/search"],
  unfound: ["/search?q=etherium+zzzzz", "/search?q=zzzzz"],
  docs: ["/docs", "/docs"],
  guide: ["/docs/caching", "/docs/caching"],
  empty: ["/chains?q=zzzzz", "/chains?q=zzzzz"],
  failure: ["/nothing/here", "/nothing/here"],
};
export const types = Object.keys(pages);

// Pages in English only. In other languages, their addresses show the English page.
export const englishOnly = ["docs", "guide"];

// addressOf returns the address of a page at a server in a language.
export const addressOf = (server, type, language) => `${server}/${language}${pages[type][server === bundled ? 0 : 1]}`;

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });

const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

// open returns a page in a new context, with a record of its faults: requests to other hosts
// (pictures are answered here, on request with a delay), violations of its policy, executed
// texts, and console messages.
export async function open(browser, { late = 0, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const wrong = [];
  await context.exposeBinding("__violation", (_, what) => { wrong.push(`policy: ${what}`); });
  await context.addInitScript(() => addEventListener("securitypolicyviolation", (e) => window.__violation(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`)));
  await context.route(/./, async (route) => {
    const url = new URL(route.request().url());
    if ([bundled, hostile, greek, limited].includes(url.origin)) return route.continue();
    if (route.request().resourceType() === "image" && url.protocol === "https:") {
      if (late) await new Promise((done) => setTimeout(done, late));
      return route.fulfill({ contentType: "image/png", body: dot }).catch(() => {}); // the page may be gone
    }
    wrong.push(`a request to another: ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.on("dialog", (dialog) => { wrong.push(`ran: ${dialog.message()}`); dialog.dismiss(); });
  page.on("pageerror", (error) => wrong.push(`error: ${error}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (/status of 404/.test(message.text()) && message.location().url === page.url()) return; // the page of a failure
    wrong.push(`console: ${message.text()} (${message.location().url})`);
  });
  return { page, context, wrong, close: () => context.close() };
}

// ask returns the response of the API.
export async function ask(path, server = bundled) {
  const answer = await fetch(`${server}/api/open/${path}`);
  assert(answer.ok, `${path}: ${answer.status}`);
  return { body: await answer.json(), total: Number(answer.headers.get("Total-Count")) };
}

// settled waits until a page has the address and has finished loading.
export async function settled(page, address) {
  await page.waitForURL(address);
  await page.waitForLoadState("load");
}
