import type { StoreScript } from '@portcullis/plugin-runtime';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Most moments that are kept of one client and window. Limits up to here are exact, and windows up to as many milliseconds whatever their
 * limit. Beyond, moments in one of so many parts of the window become one, the latest of them: never too many pass, and room
 * comes back late by less than a part.
 */
export const STORE_MOMENTS_MAX = 8192;

/**
 * Decides one request over all its sliding windows, and counts it when all have room.
 * - `KEYS`: a list for each window: moments with the sum of all units up to them, oldest first. What is over stays at its head as long as
 *   its sum is needed.
 * - `ARGV`: for each window the limit, the length in milliseconds, and the milliseconds in which moments become one (0: none).
 * - Returns 1 or 0 for passed or refused, then for each window the units that count, and the milliseconds until the oldest stops counting
 *   or, where it refuses, until there is room.
 *
 * A moment before the last one of a list is taken for that one, as in `fixedScript`.
 * @param clock Lua that defines `now`; another one in tests
 */
export function slidingScript(clock: string = STORE_CLOCK): StoreScript {
  return { name: 'limits_sliding', lua: `${clock}${DECIDE}` };
}

const DECIDE = `
local FORM = '>dd'
local CHUNK = 32
-- Most often the first entry is over, and the second is the oldest that counts.
local FEW = 2
local lasts, sums = {}, {}
for i, key in ipairs(KEYS) do
  local last = redis.call('LINDEX', key, -1)
  if last then
    lasts[i], sums[i] = struct.unpack(FORM, last)
    if lasts[i] > now then now = lasts[i] end
  end
end

-- The first entry of a list from a place on that fits: its moment, its place, and the sum before it.
local function find(key, place, before, fits)
  local size = FEW
  while true do
    local chunk = redis.call('LRANGE', key, place, place + size - 1)
    for _, entry in ipairs(chunk) do
      local moment, sum = struct.unpack(FORM, entry)
      if fits(moment, sum) then return moment, place, before end
      place, before = place + 1, sum
    end
    if #chunk < size then return nil, place, before end
    size = CHUNK
  end
end

local passed = 1
local used, oldest, places, befores = {}, {}, {}, {}
for i, key in ipairs(KEYS) do
  used[i] = 0
  if sums[i] then
    local over = now - tonumber(ARGV[3 * i - 1])
    oldest[i], places[i], befores[i] = find(key, 0, 0, function(moment) return moment > over end)
    if places[i] > 1 then
      redis.call('LTRIM', key, places[i] - 1, -1)
      places[i] = 1
    end
    used[i] = sums[i] - befores[i]
  end
  if used[i] >= tonumber(ARGV[3 * i - 2]) then passed = 0 end
end

local answer = { passed }
for i, key in ipairs(KEYS) do
  local limit, length, part = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local freed = oldest[i]
  if passed == 1 then
    local last = lasts[i]
    local isOne = oldest[i] and (last == now or (part > 0 and math.floor(last / part) == math.floor(now / part)))
    local entry = struct.pack(FORM, now, (sums[i] or 0) + 1)
    if isOne then redis.call('LSET', key, -1, entry) else redis.call('RPUSH', key, entry) end
    redis.call('PEXPIRE', key, length)
    if not freed or (isOne and freed == last) then freed = now end
    used[i] = used[i] + 1
  elseif used[i] >= limit then
    local enough = sums[i] - limit + 1
    freed = find(key, places[i], befores[i], function(_, sum) return sum >= enough end)
  end
  answer[2 * i], answer[2 * i + 1] = used[i], (freed or now) + length - now
end
return answer
`;
