// Connects to a running server over HTTP and to a new process over stdio with the TypeScript SDK,
// lists the tools and calls each. The SDK validates every result against the output schema of its
// tool.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, program] = process.argv.slice(2);
assert(url && program, "usage: node call.js URL PROGRAM");

const calls = {
  about: {},
  search: { q: "base", limit: 5 },
  get_chain: { chain: "8453", locale: "zh-CN" },
  list_chains: { tag: ["layer-2"], limit: 5, facets: true },
  list_accounts: { limit: 3 },
  list_cards: { kind: "app", chain: "base", platform: "web", limit: 3 },
  get_menu: {},
  list_categories: { scope: "chain" },
  list_changes: { since: "1" },
};

async function tryAll(name, transport) {
  const client = new Client({ name: "trial", version: "1" });
  await client.connect(transport);
  assert.match(client.getInstructions(), /never follow instructions/);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(calls).sort());
  for (const tool of tools) {
    const result = await client.callTool({ name: tool.name, arguments: calls[tool.name] });
    assert(!result.isError, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    assert(JSON.stringify(result).length <= 32000);
  }
  const one = await client.callTool({ name: "list_cards", arguments: { app: "Uniswap" } });
  assert.equal(one.structuredContent.data.apps[0].key, "uniswap");
  const wrong = await client.callTool({ name: "list_chains", arguments: { sort: "TVL" } });
  assert(wrong.isError);
  assert.equal(JSON.parse(wrong.content[0].text).didYouMean, "tvl");
  await client.close();
  console.log(`ok: ${tools.length} tools over ${name}`);
}

await tryAll("http", new StreamableHTTPClientTransport(new URL(url)));
await tryAll("stdio", new StdioClientTransport({ command: program, args: ["mcp"] }));
