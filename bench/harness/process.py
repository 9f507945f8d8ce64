"""Processes that end when the measurement ends, whatever ends it."""
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
    """Something that is measured did not do what it should."""


def run(command, **options):
    """Runs a command to its end and returns what it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise Failed(f"{command[0]} {' '.join(command[1:4])}… ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def free_port():
    """Returns a port of the loopback address that nobody has."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ended(*_):
    sys.exit("bench: ended")


class Processes:
    """Every process that was started and has not been ended yet."""

    def __init__(self):
        self.running = []

    def __enter__(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            signal.signal(number, ended)
        return self

    def __exit__(self, *_):
        self.end_all()

    def start(self, command, cwd, env=None, before=None):
        """Starts a command; what it says goes to the file that .said names."""
        said = os.path.join(cwd, os.path.basename(command[0]) + f"-{len(self.running)}-{time.monotonic_ns()}.log")
        with open(said, "wb") as log:
            process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=before)
        process.said = said
        self.running.append(process)
        return process

    def vitrine(self, binary, flags, cwd, env=None, before=None):
        """Starts `serve` with everything on and returns it with its address, as
        soon as it listens. Rates are limited, but by more than any load."""
        env = dict(env or {})
        if not {"--store", "--catalog"} & set(flags):
            env["VITRINE_DEMO"] = "true"  # a variable, which older versions pass over
        limits = ["--rate-limit=1000000000/m", "--rate-limit-key=1000000000/m"]
        process = self.start([binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", *limits, *flags], cwd, env, before)
        found = wait_for(lambda: re.search(r"api=(http://[\d.:]+)/", said(process)), process, 30, "listens")
        return process, found.group(1)

    def end(self, process):
        """Ends a process by its own id, and waits for it."""
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
    """Returns what() as soon as it is true. Fails when the process ends, or time is up."""
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
    """One connection that is kept, and made again where it was lost."""

    def __init__(self, base):
        self.host = urllib.parse.urlsplit(base).netloc
        self.connection = None

    def get(self, path, **headers):
        """Returns status, headers and body; (0, {}, b"") where nobody answers."""
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
    """Returns a figure of /proc/PID/status in bytes: VmRSS now, VmHWM the most."""
    with open(f"/proc/{process.pid}/status") as f:
        return int(re.search(rf"^{field}:\s+(\d+) kB", f.read(), re.M).group(1)) * 1024


def forget_peak(process):
    """Sets VmHWM to what is in use now."""
    with open(f"/proc/{process.pid}/clear_refs", "w") as f:
        f.write("5")


class Address(str):
    """An address, and what ends the process behind it."""

    def __new__(cls, base, close):
        self = super().__new__(cls, base)
        self.close = close
        return self
