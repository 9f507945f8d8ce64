"""Publishes random edits and checks that readers stay equal to the publisher: follow.py VITRINE PUBLISHES READER_JS."""
import functools, http.server, json, os, random, re, subprocess, sys, threading
from hashlib import sha256
from pathlib import Path

from reader import Reader


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Counting(Reader):
    """A reader that counts what it reads."""

    bytes = deltas = 0

    def get(self, path, limit):
        data = super().get(path, limit)
        self.bytes += len(data)
        self.deltas += path.startswith("files/delta-")
        return data


vitrine, publishes = sys.argv[1], int(sys.argv[2])
random.seed(23)
texts = ("Ethereum", "以太坊", "العربية", 'a "quoted" name', "line separator \u2028", "emoji 🦄")


def chain(i):
    record = {"slug": "chain-%d" % i, "name": {"en": random.choice(texts) + " %d" % i}, "chain_id": str(i + 1)}
    if random.random() < 0.5:
        record["llama_tvl"] = {"value": random.randrange(10**9) / 8, "source": "test", "as_of": "2026-01-01"}
    if random.random() < 0.3:
        record["rpc"] = [{"url": "https://rpc.ankr.com/%d" % i}]
    return record


def run(*command):
    done = subprocess.run([vitrine, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    held = re.search(r"vitrine import shop (--accept) (\S+)", done.stdout)
    if held and "--accept" not in command:
        return run(*command, *held.groups())  # random figures jump
    if done.returncode != 0:
        sys.exit("FAIL: vitrine %s\n%s" % (" ".join(command), done.stdout))


def exported(number):
    """The records of the publisher, by its other export."""
    folder = "export-%d" % number
    run("export", folder, "--dist", "")
    records = {}
    with open(folder + "/chains.ndjson", encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line:
                record = json.loads(line)
                if isinstance(record["name"], str):
                    record["name"] = {"en": record["name"]}
                records[record["slug"]] = record
    subprocess.run(["rm", "-r", folder], check=True)
    return records


def publish():
    with open("shop/chains.ndjson", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(chains[i]) + "\n" for i in sorted(chains))
    run("import", "shop")
    run("export", "--dist", "dist", "--dist-key", "key")


def asked(javascript):
    javascript.stdin.write("update\n")
    javascript.stdin.flush()
    return javascript.stdout.readline().strip()


def follows(javascript):
    got = asked(javascript)
    if got != "%d %s" % (every.entry["revision"]["number"], every.entry["digest"]):
        sys.exit("FAIL: the reader in JavaScript has %s" % got)


def damage(path):
    with open("dist/" + path, "r+b") as file:
        file.write(b"damaged")


def refused(what):
    before = every.entry
    try:
        every.update()
    except (OSError, ValueError, subprocess.CalledProcessError):
        pass
    else:
        sys.exit("FAIL: the reader in Python accepts " + what)
    if every.entry is not before or not asked(javascript).startswith("Error: "):
        sys.exit("FAIL: a reader accepts " + what)


subprocess.run(["minisign", "-GWfp", "key.pub", "-s", "key"], check=True, stdout=subprocess.DEVNULL)
os.mkdir("shop")
with open("shop/catalog.yaml", "w") as file:
    file.write("title: Shop\ndefault_locale: en\nlocales: [en]\ngate: {rules: {}}\n")
chains = {i: chain(i) for i in range(200)}
os.mkdir("dist")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory="dist"))
threading.Thread(target=server.serve_forever, daemon=True).start()
url = "http://127.0.0.1:%d/" % server.server_port
every, some = Counting(url, "key.pub"), Counting(url, "key.pub")
javascript = subprocess.Popen(["node", sys.argv[3], url, "key.pub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for number in range(1, publishes + 1):
    for i in random.sample(range(220), random.choice((0, 1, 1, 1, 5))):
        if i in chains and random.random() < 0.3:
            del chains[i]
        else:
            chains[i] = chain(i)
    publish()
    readers = [every]
    if random.random() < 0.1:
        readers.append(some)
    if number % 20 == 0:
        readers.append(Reader(url, "key.pub"))
    want = exported(number) if number % 10 == 0 else None
    for reader in readers:
        reader.update()
        if want is not None:
            got = {key: json.loads(line)["record"] for key, line in reader.lines["chains"].items()}
            if got != want:
                sys.exit("FAIL: revision %d differs from the publisher's export" % reader.entry["revision"]["number"])
    follows(javascript)
    if number % 50 == 0:
        print("%d publishes: equal; %d and %d deltas, %d and %d bytes" % (number, every.deltas, some.deltas, every.bytes, some.bytes), flush=True)
if every.deltas < publishes // 2:
    sys.exit("FAIL: only %d deltas" % every.deltas)
if every.entry["revision"]["number"] < publishes * 3 // 4:
    sys.exit("FAIL: only %d revisions" % every.entry["revision"]["number"])

pointer, newest = Path("dist/entry.json"), Path("dist/entry.json").read_bytes()
chains[0] = chain(0)
publish()
after = pointer.read_bytes()
every.update()
follows(javascript)
pointer.write_bytes(newest)
refused("an older pointer")
pointer.write_bytes(after + b"\n")
refused("a pointer without a signature")
Path("dist/files/entry-%s.minisig" % sha256(after + b"\n").hexdigest()).write_bytes(Path("dist/entry.json.minisig").read_bytes())
refused("a pointer with the signature of another")
pointer.write_bytes(after)
every.update()
follows(javascript)
chains[1] = chain(1)
publish()
entry = json.loads(pointer.read_bytes())
damage(entry["deltas"][0]["file"]["path"])
every.update()
if every.entry != entry:
    sys.exit("FAIL: a damaged delta stops the reader in Python")
follows(javascript)
chains[2] = chain(2)
publish()
entry = json.loads(pointer.read_bytes())
damage(entry["deltas"][0]["file"]["path"])
damage(next(k for k in entry["kinds"] if k["kind"] == "chains")["files"][0]["path"])
refused("damaged files")
javascript.stdin.close()
if javascript.wait() != 0:
    sys.exit("FAIL: the reader in JavaScript failed")
print("ok: %d revisions" % every.entry["revision"]["number"])
