-- Takes or charges units for each key, like gcra.go, which also computes the prices.
-- The value of a key is the microsecond at which its debt is paid, and the rest in
-- fractions of 1/quota microsecond. The clock is that of Redis. All numbers are whole
-- and below 2^53, so doubles represent them exactly.
-- ARGV has six values for each key: quota, window, ticks and part of the price,
-- whether to charge beyond the quota, and the minimum debt in ticks.
-- Returns three numbers for each key: whether the cost was allowed, and the debt after it.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local answers = {}

for i, key in ipairs(KEYS) do
  local function arg(n) return tonumber(ARGV[6 * (i - 1) + n]) end
  local quota, window = arg(1), arg(2)

  local ticks, part, mended = 0, 0, false
  local kept = redis.call('GET', key)
  if kept then
    local paid, rest = string.match(kept, '^(%d+) (%d+)$')
    ticks, part = paid - now, math.min(rest, quota - 1)
    if ticks < 0 then
      ticks, part = 0, 0
    elseif ticks >= 2 * window then
      ticks, part, mended = 2 * window, 0, true
    end
  end

  local least = arg(6)
  if ticks < least then
    ticks, part, mended = least, 0, true
  end

  local price, parts = arg(3), arg(4)
  local after, rest = ticks + price, part + parts
  if rest >= quota then
    after, rest = after + 1, rest - quota
  end
  local fits = after < window or (after == window and rest == 0)

  local taken = price + parts > 0 and (fits or arg(5) == 1)
  if taken then
    ticks, part = after, rest
    if ticks >= 2 * window then
      ticks, part = 2 * window, 0
    end
  end
  if taken or mended then
    redis.call('SET', key, string.format('%.0f %.0f', now + ticks, part),
      'PX', string.format('%.0f', math.floor(ticks / 1000) + 1))
  end

  answers[#answers + 1] = fits and 1 or 0
  answers[#answers + 1] = ticks
  answers[#answers + 1] = part
end

return answers
