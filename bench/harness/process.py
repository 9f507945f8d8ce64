"""Processes that end with the measurement, also after errors."""
import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse


class Failed(Exception):
    """A measured program failed."""


def run(command, **options):
    """Runs a command and returns its output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise Failed(f"{command[0]} {' '.join(command[1:4])}… ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def free_port():
    """Returns an unused port of the loopback address."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ended(*_):
    sys.exit("bench: ended")


class Processes:
    """The running processes."""

    def __init__(self):
        self.running = []

    def __enter__(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            signal.signal(number, ended)
        return self

    def __exit__(self, *_):
        self.end_all()

    def start(self, command, cwd, env=None, before=None):
        """Starts a command; its output goes to the file .said."""
        said = os.path.join(cwd, os.path.basename(command[0]) + f"-{len(self.running)}-{time.monotonic_ns()}.log")
        with open(said, "wb") as log:
            process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=before)
        process.said = said
        self.running.append(process)
        return process

    def vitrine(self, binary, flags, cwd, env=None, before=None):
        """Starts `serve` with all features, and returns it with its address when
        it listens. Rate limits are on, but above any load."""
        env = dict(env or {})
        if not {"--store", "--catalog"} & set(flags):
            env["VITRINE_DEMO"] = "true"  # older versions ignore an unknown variable
        limits = ["--rate-limit=1000000000/m", "--rate-limit-key=1000000000/m"]
        process = self.start([binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", *limits, *flags], cwd, env, before)
        found = wait_for(lambda: re.search(r"api=(http://[\d.:]+)/", said(process)), process, 30, "listens")
        return process, found.group(1)

    def end(self, process):
        """Stops a process by its id, and waits for it."""
        if process in self.running:
            self.running.remove(process)
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def end_all(self):
        while self.running:
            self.end(self.running[-1])


def said(process):
    with open(process.said, encoding="utf-8", errors="replace") as log:
        return log.read()


def wait_for(what, process, seconds, name, pause=0.002):
    """Returns what() as soon as it is true. Fails if the process ends, or after a timeout."""
    limit = time.monotonic() + seconds
    while True:
        result = what()
        if result:
            return result
        if process and process.poll() is not None:
            raise Failed(f"{process.args[0]} ended with {process.returncode} before it {name}: {said(process)[-2000:]}")
        if time.monotonic() > limit:
            raise Failed(f"{name}: not within {seconds} s")
        time.sleep(pause)


class Client:
    """A persistent connection, which reconnects if it is lost."""

    def __init__(self, base):
        self.host = urllib.parse.urlsplit(base).netloc
        self.connection = None

    def get(self, path, **headers):
        """Returns status, headers and body; (0, {}, b"") without a response."""
        for _ in range(2):
            try:
                self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=120)
                self.connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
                response = self.connection.getresponse()
                return response.status, response.headers, response.read()
            except (OSError, http.client.HTTPException):
                self.close()
        return 0, {}, b""

    def close(self):
        with contextlib.suppress(OSError):
            if self.connection:
                self.connection.close()
        self.connection = None


def memory(process, field="VmRSS"):
    """Returns a figure of /proc/PID/status in bytes: VmRSS is the current value, VmHWM the peak."""
    with open(f"/proc/{process.pid}/status") as f:
        return int(re.search(rf"^{field}:\s+(\d+) kB", f.read(), re.M).group(1)) * 1024


def forget_peak(process):
    """Resets VmHWM to the current value."""
    with open(f"/proc/{process.pid}/clear_refs", "w") as f:
        f.write("5")


class Address(str):
    """An address, with a method that stops its process."""

    def __new__(cls, base, close):
        self = super().__new__(cls, base)
        self.close = close
        return self
