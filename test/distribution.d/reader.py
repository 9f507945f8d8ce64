"""A reader of distributions, written from docs/distribution.md. Needs the commands minisign and zstd."""
import datetime, json, subprocess, tempfile, urllib.request
from hashlib import sha256
from pathlib import Path


class Reader:
    def __init__(self, base, key_file):
        self.base, self.key_file = base, key_file
        self.entry, self.lines = None, {}  # the accepted pointer, and its lines by kind and key

    def get(self, path, limit):
        with urllib.request.urlopen(self.base + path, timeout=10) as response:
            return response.read(limit)

    def pointer(self):
        data = self.get("entry.json", 1 << 20)
        signature = self.get("files/entry-%s.minisig" % sha256(data).hexdigest(), 4096)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "entry.json").write_bytes(data)
            Path(folder, "entry.json.minisig").write_bytes(signature)
            subprocess.run(["minisign", "-Vqp", self.key_file, "-m", folder + "/entry.json"], check=True)
        return json.loads(data)

    def content(self, file):
        packed = self.get(file["path"], file["size"])
        if sha256(packed).hexdigest() != file["sha256"]:
            raise ValueError(file["path"] + " is damaged")
        unpack = "zstd -dcq | head -c %d" % file["contentSize"]
        return subprocess.run(unpack, shell=True, input=packed, capture_output=True).stdout.splitlines()

    def apply(self, entry, files, before):  # accepts the lines before with those of files, if they have the digest
        lines = {k["kind"]: dict(before.get(k["kind"], {})) for k in entry["kinds"]}
        for line in (line for file in files for line in self.content(file)):
            record = json.loads(line)
            lines[record["kind"]].pop(record["key"], None)
            if not record.get("removed"):
                lines[record["kind"]][record["key"]] = line
        digests = ""
        for kind, records in lines.items():
            hashes = b"".join(sha256(records[key]).digest() for key in sorted(records, key=str.encode))
            digests += "%s %s\n" % (kind, sha256(hashes).hexdigest())
        if sha256(digests.encode()).hexdigest() != entry["digest"]:
            raise ValueError("the lines differ from the publisher's")
        self.entry, self.lines = entry, lines

    def update(self):  # after an exception, the reader has the previous revision
        entry, old = self.pointer(), self.entry
        at = lambda e: (e["epoch"], e["revision"]["number"], datetime.datetime.fromisoformat(e["issuedAt"]))
        if entry["format"] != 1 or old and (entry["catalogue"] != old["catalogue"] or at(entry) < at(old)):
            raise ValueError("another format or catalogue, or an older pointer")
        if old and entry["digest"] == old["digest"]:
            return self.apply(entry, [], self.lines)
        delta = next((d for d in entry["deltas"] if old and d["from"] == old["revision"] and "file" in d), None)
        if delta and entry["epoch"] == old["epoch"]:
            try:
                return self.apply(entry, [delta["file"]], self.lines)
            except (LookupError, ValueError) as problem:
                print("the delta is damaged, so all files are read:", problem)
        self.apply(entry, [file for k in entry["kinds"] for file in k["files"]], {})
