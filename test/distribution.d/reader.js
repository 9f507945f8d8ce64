// A reader of distributions, written from docs/distribution.md: node reader.js URL PUBLIC_KEY. After each
// input it reads the newest revision, and prints its number and the digest of its lines, or the error.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { decompress } from "fzstd";

const [base, keyFile] = process.argv.slice(2);
const rawKey = Buffer.from((await readFile(keyFile, "utf8")).split("\n")[1], "base64").subarray(10);
const publicKey = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: rawKey.toString("base64url") } });
const sha256 = (data, encoding) => createHash("sha256").update(data).digest(encoding);
let current, lines; // the accepted pointer; its lines by kind and key

async function get(path, limit) {
  const response = await fetch(base + path, { signal: AbortSignal.timeout(10_000) });
  const parts = [];
  for await (const part of response.body) {
    parts.push(part);
    if ((limit -= part.length) < 0) throw new Error(`${path} is too long`);
  }
  return Buffer.concat(parts);
}

async function pointer() {
  const data = await get("entry.json", 1 << 20);
  const [, line] = (await get(`files/entry-${sha256(data, "hex")}.minisig`, 4096)).toString().split("\n");
  if (!verify(null, data, publicKey, Buffer.from(line, "base64").subarray(10))) throw new Error("the signature is wrong");
  return JSON.parse(data);
}

async function content(file) {
  const packed = await get(file.path, file.size);
  if (sha256(packed, "hex") !== file.sha256) throw new Error(`${file.path} is damaged`);
  return Buffer.from(decompress(packed, new Uint8Array(file.contentSize))).toString().split("\n").filter(Boolean);
}

async function apply(entry, files, before) { // accepts the lines before with those of files, if they have the digest
  const next = Object.fromEntries(entry.kinds.map(({ kind }) => [kind, new Map(before[kind])]));
  for (const line of (await Promise.all(files.map(content))).flat()) {
    const { kind, key, removed } = JSON.parse(line);
    removed ? next[kind].delete(key) : next[kind].set(key, line);
  }
  const digests = Object.entries(next).map(([kind, records]) => {
    const sorted = [...records].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `${kind} ${sha256(Buffer.concat(sorted.map(([, line]) => sha256(line))), "hex")}\n`;
  });
  if (sha256(digests.join(""), "hex") !== entry.digest) throw new Error("the lines differ from the publisher's");
  [current, lines] = [entry, next];
}

async function update() { // after an error, the previous revision stays
  const entry = await pointer(), old = current ?? entry;
  const step = entry.epoch - old.epoch || entry.revision.number - old.revision.number || Date.parse(entry.issuedAt) - Date.parse(old.issuedAt);
  if (entry.format !== 1 || entry.catalogue !== old.catalogue || step < 0) throw new Error("another format or catalogue, or an older pointer");
  if (entry.digest === current?.digest) return apply(entry, [], lines);
  const delta = entry.epoch === old.epoch && entry.deltas.find((d) => d.file && d.from.number === old.revision.number);
  const all = () => apply(entry, entry.kinds.flatMap((k) => k.files), {});
  return delta ? apply(entry, [delta.file], lines).catch(all) : all(); // a damaged delta is no reason to stay behind
}

for await (const _ of process.stdin) console.log(await update().then(() => `${current.revision.number} ${current.digest}`, String));
