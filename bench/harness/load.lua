-- Makes wrk print one line of JSON about the run, and, if a file is named, ask
-- for the paths in it, one after the other:
--
--   wrk -s load.lua URL [-- FILE]
--
-- Each thread begins at another path. All requests are made before the run;
-- without a file wrk repeats the same bytes and asks this script nothing.
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  if not args[1] then return end
  local requests = {}
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  local at = math.floor(#requests * number / 2) % #requests
  function request()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"micros":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d,"p50":%d,"p99":%d,"max":%d}\n',
    summary.requests, summary.duration, e.connect, e.read, e.write, e.status, e.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
