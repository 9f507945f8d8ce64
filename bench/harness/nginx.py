"""nginx, which serves Vitrine's responses as files."""
import os

from .process import Address, Client, free_port, wait_for

# Configured for speed: no log, cached open files, no limit of requests per connection.
CONFIG = """daemon off;
{user}worker_processes auto;
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; etag on; gzip_static on; server_tokens off;
  open_file_cache max=100 inactive=1h; open_file_cache_valid 1h;
  keepalive_requests 1000000000; keepalive_timeout 1h;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  map $request_uri $file {{ {map} }}
  server {{
    listen 127.0.0.1:{port} reuseport backlog=4096;
    root {folder}/files;
    types {{ }} default_type application/json;
    location /api/ {{ rewrite ^ $file last; }}
{locations}  }}
}}
"""

# Headers that nginx sets itself or differently.
OWN = {"date", "server", "content-length", "content-type", "content-encoding", "etag", "x-request-id", "vary", "connection", "last-modified"}


def start(bench, answers):
    """Starts nginx and returns its address; close() stops it."""
    folder = bench.folder("nginx")
    files = os.path.join(folder, "files")
    os.mkdir(files)
    entries, locations = [], []
    for number, path in enumerate(sorted({path for path, _ in answers})):
        headers, body = answers[path, "identity"]
        with open(os.path.join(files, f"{number}.json"), "wb") as f:
            f.write(body)
        with open(os.path.join(files, f"{number}.json.gz"), "wb") as f:
            f.write(answers[path, "gzip"][1])
        entries.append(f'"{path}" /{number}.json;')
        fields = [(name, value.replace('"', '\\"')) for name, value in headers.items() if name.lower() not in OWN]
        fields += [("Vary", "Accept-Encoding"), ("X-Request-Id", "$request_id")]
        added = " ".join(f'add_header {name} "{value}" always;' for name, value in fields)
        locations.append(f"    location = /{number}.json {{ {added} }}\n")
    port = free_port()
    config = os.path.join(folder, "nginx.conf")
    with open(config, "w") as f:
        f.write(CONFIG.format(folder=folder, port=port, map=" ".join(entries), locations="".join(locations),
                              user="user root;\n" if os.getuid() == 0 else ""))
    process = bench.processes.start(["nginx", "-p", folder, "-c", config], folder)
    base = f"http://127.0.0.1:{port}"
    client = Client(base)
    wait_for(lambda: client.get("/0.json")[0] == 200, process, 10, "answers", 0.05)
    client.close()
    return Address(base, lambda: bench.processes.end(process))
