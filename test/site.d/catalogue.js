// Writes small catalogues with all texts from a function, to test how pages show them. JSON is
// valid YAML.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Markup, quotes, templates, bidirectional text, and a long word.
const markup = `'"></title></script></style><script>alert(1)</script><img src=x onerror=alert(2)><b onmouseover=alert(3)> \${x} {{.}} \\ [a](javascript:alert(4)) |`;
const turned = "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 (1)";
const endless = "Donaudampfschifffahrtsgesellschaft".repeat(5);
export const hostile = { locales: ["en", "ar"], text: () => `${markup} ${turned} ${endless}` };

// No letter belongs to a language of the interface, so all other text is the page's.
export const greek = { locales: ["en", "zh-hans", "zh-hant", "ja", "es"], text: () => "Ωμέγα του άλφα" };

// write creates a catalogue directory with one record of each kind, and two pages of chains.
export function write(dir, { locales, text }) {
  mkdirSync(join(dir, "nav"), { recursive: true });
  const file = (name, value) => writeFileSync(join(dir, name), JSON.stringify(value, null, 1));
  const one = text();
  const all = Object.fromEntries(locales.map((name) => [name, one]));
  const figure = { value: 5e9, source: one, as_of: "2026-01-01" };
  const groups = ["chain", "twitter", "youtube", "item"].map((module) => ({ key: "of", module, name: all }));
  const scopes = groups.map((g) => g.module);
  const inAll = Object.fromEntries(scopes.map((scope) => [scope, ["of"]]));
  file("catalog.yaml", { title: all, default_locale: "en", locales, link_schemes: ["celo"] });
  file("categories.yaml", { groups, categories: [{ key: "c", name: all, description: all, scopes, groups: inAll }] });
  const chains = [
    {
      slug: "x", name: all, chain_id: 5, categories: ["c"], description: all, aliases: [one], llama_tvl: figure, website: "https://x.example/?a=1&b='",
      rpc: [{ url: "https://rpc.example.org/", note: one }], native_currency: { name: one, symbol: "<b>", decimals: 18 },
      links: [{ type: "docs", name: one, url: "celo:alert(5)" }], extra: { a: one },
    },
    { slug: "gone", name: all, chain_id: 6, categories: ["c"], status: "retired", status_since: "2025-03-04", status_note: all, successor: "x" },
  ];
  for (let i = 0; i < 60; i++) chains.push({ slug: `y${i}`, name: all, chain_id: 100 + i, categories: ["c"], parent: "x" });
  file("chains.yaml", chains);
  file("twitter.yaml", [{ handle: "someone", name: one, description: all, categories: ["c"], followers_count: figure }]);
  file("youtube.yaml", [{ channel_id: "UC0000000000000000000000", name: one, description: all, categories: ["c"] }]);
  file("apps.yaml", [{
    key: "a", title: all, description: all, link: "https://app.example/?a=1&b='", categories: ["c"], chains: ["x"], platforms: ["web"], aliases: [one],
    status: "retired", status_since: "2025-03-04", status_note: all, links: [{ type: "docs", name: one, url: "celo:alert(7)" }], extra: { a: one },
  }]);
  file("nav.yaml", { groups: [{ key: "g", name: all, description: all, menus: ["m"] }] });
  const cards = [{ title: all, description: all, link: "celo:alert(6)" }, { title: all, description: all, link: "https://plain.example/" }, { app: "a" }];
  const items = [{ slug: "i", name: all, description: all, cards }, { slug: "j", name: all, description: all, cards: [{ ...cards[1], link: "https://other.example/" }] }];
  file("nav/m.yaml", { title: all, description: all, groups: [{ slug: "a", name: all, items }] });
}
