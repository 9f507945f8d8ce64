// A reader of distributions, written from docs/distribution.md: node reader.js PLACE PUBLIC_KEY. After
// each line of input it reads the newest revision, and prints its number and the digest of its lines.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { decompress } from "fzstd";

const hash = (name, ...parts) => parts.reduce((h, part) => h.update(part), createHash(name)).digest();
const hex = (data) => hash("sha256", data).toString("hex");
const [place, keyFile] = process.argv.slice(2);
const publicKey = Buffer.from((await readFile(keyFile, "utf8")).split("\n")[1], "base64");
const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey.subarray(10).toString("base64url") } });

async function get(path, limit) {
  if (!place.startsWith("http")) return readFile(`${place}/${path}`);
  const response = await fetch(`${place}/${path}`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  const parts = [];
  for await (const part of response.body) {
    if ((limit -= part.length) < 0) throw new Error(`${path} is too long`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function checkSignature(pointer) { // https://jedisct1.github.io/minisign/#signature-format
  const lines = (await get(`files/entry-${hex(pointer)}.minisig`, 4096)).toString().split("\n");
  const signature = Buffer.from(lines[1], "base64"), comment = Buffer.from(lines[2].slice("trusted comment: ".length));
  const signed = signature.subarray(0, 2).toString() === "ED" ? hash("blake2b512", pointer) : pointer;
  const valid = signature.subarray(2, 10).equals(publicKey.subarray(2, 10)) && verify(null, signed, key, signature.subarray(10)) &&
    verify(null, Buffer.concat([signature.subarray(10), comment]), key, Buffer.from(lines[3], "base64"));
  if (!valid) throw new Error("the signature is wrong");
}

async function linesOf(file) {
  if (file.contentSize > 64 << 20) throw new Error(`${file.path} is too large`);
  const packed = await get(file.path, file.size);
  if (packed.length !== file.size || hex(packed) !== file.sha256) throw new Error(`${file.path} is damaged`);
  const content = Buffer.from(decompress(packed, new Uint8Array(file.contentSize)));
  if (hex(content) !== file.contentSha256) throw new Error(`${file.path} has other content`);
  return content.toString().split("\n").filter(Boolean);
}

let current, sets = {}; // the accepted pointer; the lines by kind and key

async function update() {
  const pointer = await get("entry.json", 1 << 20);
  await checkSignature(pointer);
  const entry = JSON.parse(pointer), at = (e) => e.epoch - current.epoch || e.revision.number - current.revision.number;
  if (entry.format !== 1 || current && (entry.catalogue !== current.catalogue || at(entry) < 0)) throw new Error("another format or catalogue, or an older revision");
  if (current && at(entry) === 0) return;
  const delta = current?.epoch === entry.epoch && entry.deltas.find((d) => d.from.number === current.revision.number);
  const files = delta ? (delta.file ? [delta.file] : []) : entry.kinds.flatMap((k) => k.files);
  const next = Object.fromEntries(entry.kinds.map((k) => [k.kind, new Map(delta ? sets[k.kind] : [])]));
  for (const line of (await Promise.all(files.map(linesOf))).flat()) {
    const record = JSON.parse(line);
    record.removed ? next[record.kind].delete(record.key) : next[record.kind].set(record.key, line);
  }
  let text = "";
  for (const { kind, records, digest } of entry.kinds) {
    const keys = [...next[kind].keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const own = hash("sha256", ...keys.map((k) => hash("sha256", next[kind].get(k)))).toString("hex");
    if (keys.length !== records || own !== digest) throw new Error(`the ${kind} differ from the publisher's`);
    text += `${kind} ${own}\n`;
  }
  if (hex(text) !== entry.digest) throw new Error("the digest is wrong");
  [current, sets] = [entry, next];
}

for await (const _ of createInterface({ input: process.stdin })) {
  await update();
  console.log(current.revision.number, current.digest);
}
