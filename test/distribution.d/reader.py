"""A reader of distributions, written from docs/distribution.md. Needs the commands zstd and, with a key, minisign."""
import hashlib, json, os, subprocess, tempfile, urllib.request


def sha256(data):
    return hashlib.sha256(data).digest()


class Reader:
    def __init__(self, base, key=None):
        self.base, self.key = base.rstrip("/") + "/", key
        self.entry, self.lines = None, {}  # lines by kind and key
        self.bytes = self.requests = self.deltas = 0

    def get(self, path, limit):
        self.requests += 1
        if self.base.startswith("http"):
            with urllib.request.urlopen(self.base + path, timeout=10) as response:
                data = response.read(limit + 1)
        else:
            with open(self.base + path, "rb") as file:
                data = file.read(limit + 1)
        if len(data) > limit:
            raise ValueError(path + " is too long")
        self.bytes += len(data)
        return data

    def content(self, file):
        packed = self.get(file["path"], file["size"])
        if sha256(packed).hex() != file["sha256"] or file["contentSize"] > 64 << 20:
            raise ValueError(file["path"] + " is damaged")
        with tempfile.TemporaryFile() as stored:
            stored.write(packed)
            stored.seek(0)
            with subprocess.Popen(["zstd", "-dcq"], stdin=stored, stdout=subprocess.PIPE) as zstd:
                content = zstd.stdout.read(file["contentSize"] + 1)  # a small file may have much content
                zstd.kill()
        if len(content) != file["contentSize"] or sha256(content).hex() != file["contentSha256"]:
            raise ValueError(file["path"] + " has other content")
        return content.splitlines()

    def verify(self, pointer):
        signature = self.get("files/entry-%s.minisig" % sha256(pointer).hex(), 4096)
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("entry", pointer), ("entry.minisig", signature)):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            subprocess.run(["minisign", "-Vqp", self.key, "-m", os.path.join(folder, "entry")], check=True)

    def update(self):
        """Reads the newest revision. After an exception the reader has the previous one."""
        pointer = self.get("entry.json", 1 << 20)
        if self.key:
            self.verify(pointer)
        entry = json.loads(pointer)
        if entry["format"] != 1:
            raise ValueError("unknown format")
        old = self.entry
        if old:
            at, before = [(e["epoch"], e["revision"]["number"]) for e in (entry, old)]
            if entry["catalogue"] != old["catalogue"] or at < before:
                raise ValueError("an older revision")
            if at == before:
                return
        same_epoch = old and old["epoch"] == entry["epoch"]
        delta = next((d for d in entry["deltas"] if same_epoch and d["from"]["number"] == old["revision"]["number"]), None)
        if delta:
            lines = {kind: dict(records) for kind, records in self.lines.items()}
            for line in self.content(delta["file"]) if delta["lines"] else []:
                record = json.loads(line)
                if record.get("removed"):
                    lines[record["kind"]].pop(record["key"], None)  # it may have come and gone between both revisions
                else:
                    lines[record["kind"]][record["key"]] = line
            self.deltas += 1
        else:
            lines = {k["kind"]: {json.loads(line)["key"]: line for f in k["files"] for line in self.content(f)} for k in entry["kinds"]}
        text = ""
        for k in entry["kinds"]:
            records = lines[k["kind"]]
            digest = sha256(b"".join(sha256(records[key]) for key in sorted(records, key=str.encode))).hex()
            if len(records) != k["records"] or digest != k["digest"]:
                raise ValueError(k["kind"] + " differ from the publisher's")
            text += "%s %s\n" % (k["kind"], digest)
        if sha256(text.encode()).hex() != entry["digest"]:
            raise ValueError("the digest is wrong")
        self.entry, self.lines = entry, lines
