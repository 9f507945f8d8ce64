// Uses two replicas of one catalogue with the TypeScript SDK, through a proxy that alternates
// between them: clients must not notice which one responds. At the end, one of them is stopped.
import assert from "node:assert/strict";
import http from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const replicas = process.argv.slice(2).map((url) => new URL(url));
assert.equal(replicas.length, 2, "usage: node replicas.js URL URL");
const asked = [0, 0]; // requests by replica
let standing = [0, 1]; // places of the replicas that the proxy knows
let next = 0;

const proxy = http.createServer((request, response) => {
  const place = standing[next++ % standing.length];
  asked[place]++;
  const onward = http.request(replicas[place], { method: request.method, headers: request.headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", (error) => response.destroy(error));
  request.pipe(onward);
});
await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));

const through = new URL(`http://127.0.0.1:${proxy.address().port}/mcp`);
const client = new Client({ name: "trial", version: "1" });
await client.connect(new StreamableHTTPClientTransport(through));
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, JSON.stringify(result));
  return result;
};

const { tools } = await client.listTools();
assert.deepEqual((await client.listTools()).tools, tools);

// A list is read to its end, with alternating replicas.
const slugs = [];
for (let offset = 0; offset !== undefined; ) {
  const { structuredContent: answer } = await call("list_chains", { tag: ["layer-2"], limit: 50, offset });
  slugs.push(...answer.data.chains.map((chain) => chain.slug));
  assert(slugs.length <= answer.total, "the list does not end");
  offset = answer.left_out?.next_offset;
  if (offset === undefined) assert.equal(slugs.length, answer.total);
}
assert.equal(new Set(slugs).size, slugs.length, "a chain stands in two parts");

// Both replicas give the same answer.
for (const args of [{ q: "base" }, { q: "以太坊", locale: "zh-CN" }, { q: "etherium" }]) {
  assert.deepEqual(await call("search", args), await call("search", args));
}
assert(Math.abs(asked[0] - asked[1]) <= 1, `asked ${asked}`);

standing = [1]; // the first is taken away in the middle of the conversation
const before = asked[0];
assert.equal((await call("get_chain", { chain: "8453" })).structuredContent.data.slug, "base");
assert.equal(asked[0], before);
await client.close();
proxy.close();
console.log(`ok: two replicas without affinity, ${asked.join(" and ")} requests, ${slugs.length} chains in parts`);
