// Calls every operation of a running server with openapi-fetch and the types that
// openapi-typescript generates from its document (catalogue.d.ts). Most of the test is that this
// compiles: each body must have the members that are read here. Paths without an entry in `calls`
// are called with the examples of the document.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./catalogue.js";

const baseUrl = process.argv[2];
assert(baseUrl, "usage: node call.js URL");
// Lists are comma-separated, as documented; openapi-fetch would repeat the parameter.
const client = createClient<paths>({ baseUrl, querySerializer: { array: { style: "form", explode: false } } });

type Problem = components["schemas"]["Problem"];

// answered returns the body of a 200, or throws an error.
function answered<T>(result: { data?: T; error?: Problem; response: Response }): T {
  const { data, error, response } = result;
  assert.equal(response.status, 200, error?.detail);
  assert(response.headers.get("ETag"));
  assert(data !== undefined);
  return data;
}

function total(response: Response): number {
  return Number(response.headers.get("Total-Count") ?? NaN);
}

const locale = "zh-CN";

const document = JSON.parse(readFileSync("../openapi.json", "utf8")) as {
  paths: Record<string, unknown>;
  components: { parameters: Record<string, { name: string; in: string; example: unknown }> };
};

const calls: { [path in keyof paths]?: () => Promise<void> } = {
  "/api/open/": async () => {
    const index = answered(await client.GET("/api/open/", { params: { query: { locale } } }));
    assert.equal(index.openapi, "/openapi.json");
    assert.equal(index.bulk, "/bulk/entry.json"); // which names the other files
    const others = Object.keys(document.paths).filter((path) => !path.startsWith("/bulk/"));
    assert.deepEqual(index.operations.map((operation) => operation.path).sort(), others.sort());
  },
  "/api/open/categories": async () => {
    const short = answered(await client.GET("/api/open/categories", { params: { query: { locale } } }));
    const [first] = short.categories;
    assert(first && "name" in first && first.name.length > 0 && typeof first.priority === "number");
    const full = answered(await client.GET("/api/open/categories", { params: { query: { includeI18n: "1", scope: "chain" } } }));
    const [whole] = full.categories;
    assert(whole && "i18n" in whole && whole.i18n["en"] && whole.groupKey);
  },
  "/api/open/category-groups": async () => {
    const body = answered(await client.GET("/api/open/category-groups", { params: { query: { module: "chain" } } }));
    assert.equal(body.module, "chain");
    assert(body.groups[0]?.i18n["en"]);
  },
  "/api/open/chains": async () => {
    const all = await client.GET("/api/open/chains");
    const { chains } = answered(all);
    assert.equal(total(all.response), chains.length);
    const page = await client.GET("/api/open/chains", {
      params: { query: { q: "e", tag: ["layer-1", "layer-2"], sort: "tvl", sortDir: "desc", limit: 2, offset: 1 } },
    });
    const [one, two, ...more] = answered(page).chains;
    assert(one && two && more.length === 0 && total(page.response) > 2);
    assert((one.llama_tvl ?? 0) >= (two.llama_tvl ?? 0));
    const narrowed = await client.GET("/api/open/chains", {
      params: { query: { q: "base", tag: ["layer-2", "evm"], match: "groups", status: "all", sort: "relevance", facets: "1", limit: 1 } },
    });
    const { chains: best, facets } = answered(narrowed);
    assert(best[0]?.slug === "base" && facets?.some((facet) => facet.categories.some(({ key, count }) => key === "layer-2" && count > 0)));
    const { chains: whole } = answered(await client.GET("/api/open/chains", { params: { query: { id: ["base", "0x1", "ropsten"], view: "full" } } }));
    assert(whole.length === 3 && whole.every((chain) => "status" in chain && chain.status));
  },
  "/api/open/chains/{chain}": async () => {
    const chain = answered(await client.GET("/api/open/chains/{chain}", { params: { path: { chain: "eip155:8453" } } }));
    assert(chain.slug === "base" && chain.status === "live" && chain.figures?.llama_tvl?.asOf);
    assert((chain.links ?? []).every((link) => link.url.length > 0 && link.type.length > 0));
  },
  "/api/open/twitter/users/{handle}": async () => {
    const user = answered(await client.GET("/api/open/twitter/users/{handle}", { params: { path: { handle: "Ethereum" } } }));
    assert(user.handle === "ethereum" && user.figures?.followers_count?.value === user.followers_count);
  },
  "/api/open/nav/cards": async () => {
    const { cards, facets } = answered(
      await client.GET("/api/open/nav/cards", { params: { query: { menu: "exchanges", sort: "title", status: "all", facets: "1", limit: 2 } } }),
    );
    assert(cards.length === 2 && cards.every((card) => card.menu === "exchanges" && (card.image === null || card.image.length > 0)));
    assert(facets?.every((facet) => facet.categories.every((category) => category.count > 0)));
  },
  "/api/open/apps": async () => {
    const page = await client.GET("/api/open/apps", {
      params: { query: { chain: "base", platform: "web", tag: ["lending", "yield"], match: "any", status: "all", sort: "title", facets: "1", limit: 2 } },
    });
    const { apps, facets } = answered(page);
    assert(apps.length === 2 && total(page.response) > 2);
    assert(apps.every((app) => app.chains?.includes("base") && app.platforms?.includes("web") && app.link.length > 0));
    assert(facets?.some((facet) => facet.categories.some(({ key, count }) => key === "lending" && count > 0)));
  },
  "/api/open/apps/{app}": async () => {
    const app = answered(await client.GET("/api/open/apps/{app}", { params: { path: { app: "Uniswap" }, query: { locale } } }));
    assert(app.key === "uniswap" && app.status === "live" && app.menus?.every((place) => place.href.startsWith("/api/open/nav/menus/")));
  },
  "/api/open/search": async () => {
    const found = answered(await client.GET("/api/open/search", { params: { query: { q: "base", kind: ["chain", "card"], limit: 1 } } }));
    assert(found.results[0]?.kind === "chain" && (found.totals.chain ?? 0) > 0 && found.totals.user === undefined);
    const misspelt = answered(await client.GET("/api/open/search", { params: { query: { q: "etherium" } } }));
    assert(misspelt.results.length > 0 && misspelt.corrected === "Ethereum" && misspelt.didYouMean.includes("ethereum"));
  },
  "/api/open/twitter/users": async () => {
    const { users } = answered(await client.GET("/api/open/twitter/users", { params: { query: { q: "ethereum" } } }));
    assert(users[0] && Number.isInteger(users[0].followers_count) && users[0].twitterCategory.length > 0);
  },
  "/api/open/youtube/channels": async () => {
    const { channels } = answered(await client.GET("/api/open/youtube/channels", { params: { query: { tag: ["educator"], limit: 1 } } }));
    assert(channels[0]?.categorySlugs.includes("educator"));
  },
  "/api/open/changes": async () => {
    const { from, to, changes } = answered(await client.GET("/api/open/changes", { params: { query: { since: "1", kind: ["chain"] } } }));
    assert(from === 1 && to >= 1 && changes.every((change) => change.kind === "chain"));
  },
  "/api/open/nav/groups": async () => {
    const body = answered(await client.GET("/api/open/nav/groups"));
    assert.equal(body.groups.length, body.totalGroups);
    assert(body.groups[0]?.navs[0]?.href.startsWith("/nav/"));
  },
  "/api/open/nav/menus/{pathSlug}": async () => {
    const menu = answered(await client.GET("/api/open/nav/menus/{pathSlug}", { params: { path: { pathSlug: "ai-tools" } } }));
    const card = menu.groups[0]?.items[0]?.cards[0];
    assert(card && (card.image === null || card.image.length > 0));
  },
  "/api/open/meta": async () => {
    const meta = answered(await client.GET("/api/open/meta"));
    assert(meta.counts.chains > 0 && meta.figures.length > 0 && !Number.isNaN(Date.parse(meta.publishedAt)));
  },
  "/bulk/entry.json": async () => {
    const entry = answered(await client.GET("/bulk/entry.json"));
    assert(entry.format === 1 && entry.kinds.every((kind) => kind.files.every((file) => file.size > 0)));
  },
  "/bulk/entry.json.minisig": async () => {
    const { error } = await client.GET("/bulk/entry.json.minisig", { parseAs: "text" });
    assert.equal(error?.code, "not_found"); // the distribution is not signed
  },
  "/bulk/files/{file}": async () => {
    const described = answered(await client.GET("/bulk/entry.json")).kinds[0]?.files[0];
    assert(described);
    const file = await client.GET("/bulk/files/{file}", { params: { path: { file: described.path.replace("files/", "") } }, parseAs: "arrayBuffer" });
    const content = new Uint8Array(answered(file as { data?: ArrayBuffer; response: Response }));
    assert.equal(createHash("sha256").update(content).digest("hex"), described.sha256);
  },
  "/api/open/spec": async () => {
    assert.match(answered(await client.GET("/api/open/spec")).openapi, /^3\.1\./);
  },
};

const examples = Object.values(document.components.parameters).filter((parameter) => parameter.in === "path");
const path = Object.fromEntries(examples.map(({ name, example }) => [name, example]));
for (const template of Object.keys(document.paths) as (keyof paths)[]) {
  const call = calls[template] ?? (async () => void answered(await client.GET(template as never, { params: { path } } as never)));
  await call();
}

// All errors have the same body, with its type.
const bad = await client.GET("/api/open/chains", { params: { query: { limit: 1001 } } });
assert.equal(bad.response.status, 400);
assert(bad.error?.code === "invalid_parameter" && bad.error.parameter === "limit");
const missing = await client.GET("/api/open/nav/menus/{pathSlug}", { params: { path: { pathSlug: "nothing" } } });
assert.equal(missing.error?.code, "not_found");
const misspelt = await client.GET("/api/open/twitter/users/{handle}", { params: { path: { handle: "ethreum" } } });
assert(misspelt.error?.code === "not_found" && misspelt.error.candidates?.includes("ethereum"));
const stranger = await client.GET("/api/open/meta", { headers: { "X-API-Key": "wrong" } });
assert.equal(stranger.error?.code, "invalid_api_key");

console.log(`TypeScript: ${Object.keys(document.paths).length} operations, 400, 401 and 404`);
