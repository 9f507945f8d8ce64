// Serves the bundled catalogue and those of catalogue.js with one process each, runs programs of
// this directory against them, and stops the servers.
//
//     node run.js BINARY REPOSITORY PROGRAM...
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { greek, hostile, write } from "./catalogue.js";

const [binary, repository, ...program] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "vitrine-site-"));
const servers = [];

// serve returns the address of a server that has published its catalogue.
async function serve(name, ...flags) {
  const log = join(work, `${name}.log`);
  const out = openSync(log, "w");
  const server = spawn(binary, ["serve", ...flags, "--store", `sqlite:${join(work, name)}.db`, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--rate-limit", "off"], { cwd: work, stdio: ["ignore", out, out] });
  servers.push(server);
  for (let tries = 0; tries < 600 && server.exitCode === null; tries++) {
    const at = readFileSync(log, "utf8").match(/ api=(http:\/\/[^/ ]+)/)?.[1];
    if (at && (await fetch(`${at}/api/open/meta`).then((r) => r.ok, () => false))) return at;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${name} does not serve:\n${readFileSync(log, "utf8")}`);
}

let status = 1;
try {
  const catalogue = join(repository, "catalog");
  write(join(work, "hostile"), hostile);
  write(join(work, "greek"), greek);
  const [a, b, c, d] = await Promise.all([
    serve("bundled", "--catalog", catalogue),
    serve("hostile", "--catalog", join(work, "hostile")),
    serve("greek", "--catalog", join(work, "greek")),
    serve("limited", "--catalog", catalogue, "--rate-limit-pages", "20/m"),
  ]);
  const child = spawn(process.execPath, program, {
    cwd: import.meta.dirname, stdio: "inherit",
    env: { ...process.env, SITE_BUNDLED: a, SITE_HOSTILE: b, SITE_GREEK: c, SITE_LIMITED: d, SITE_REPOSITORY: repository },
  });
  status = await new Promise((done) => child.on("exit", done));
} catch (error) {
  console.error(String(error.message));
} finally {
  const gone = servers.map((s) => s.exitCode !== null || new Promise((done) => s.on("exit", done)));
  for (const server of servers) server.kill();
  await Promise.all(gone);
  rmSync(work, { recursive: true, force: true });
}
process.exit(status ?? 1);
