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
 * A moment less than a window before the last one of a list is taken for that one; one before that begins the list anew, as in `fixedScript`.
 * Whatever a list holds, a decision looks at a few entries, or searches it in halves.
 * @param clock Lua that defines `now`; another one in tests
 */
export function slidingScript(clock: string = STORE_CLOCK): StoreScript {
  return { name: 'limits_sliding', lua: `${clock}${SLIDING_LUA}${DECIDE}` };
}

/**
 * Lua: `look(key, length)`, what counts of a list, without what is over; `add(key, list, units, length, part)`; and `freedAt(key, list, limit, length)`, the
 * moment at which there is room, or the oldest stops counting where there is room already.
 */
export const SLIDING_LUA = `
local FORM = '>dd'
-- Most often the first entry is over, and the second is the oldest that counts.
local FEW = 4

local function entry(key, place)
  local text = redis.call('LINDEX', key, place)
  if text then return struct.unpack(FORM, text) end
end

-- The first place from one on whose moment (1) or sum (2) is above a bound.
local function search(key, low, field, bound)
  local high = redis.call('LLEN', key)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if ({ entry(key, middle) })[field] > bound then high = middle else low = middle + 1 end
  end
  return low
end

local function look(key, length)
  local list = { at = now, used = 0, sum = 0, place = 0 }
  local last, sum = entry(key, -1)
  if not last then return list end
  if last - now >= length then
    redis.call('DEL', key)
    return list
  end
  if last > now then list.at = last end
  local over = list.at - length
  local place, before, oldest = 0, 0, nil
  for _, text in ipairs(redis.call('LRANGE', key, 0, FEW - 1)) do
    local moment, upTo = struct.unpack(FORM, text)
    if moment > over then
      oldest = moment
      break
    end
    place, before = place + 1, upTo
  end
  if not oldest and place == FEW then
    place = search(key, FEW, 1, over)
    oldest = entry(key, place)
    before = ({ entry(key, place - 1) })[2]
  end
  if place > 1 then
    redis.call('LTRIM', key, place - 1, -1)
    place = 1
  end
  list.last, list.sum, list.used, list.oldest, list.place = last, sum, sum - before, oldest, place
  return list
end

local function add(key, list, units, length, part)
  local at, last = list.at, list.last
  local isOne = list.oldest and (last == at or (part > 0 and math.floor(last / part) == math.floor(at / part)))
  local text = struct.pack(FORM, at, list.sum + units)
  if isOne then redis.call('LSET', key, -1, text) else redis.call('RPUSH', key, text) end
  redis.call('PEXPIRE', key, length + at - now)
  if not list.oldest or (isOne and list.oldest == last) then list.oldest = at end
  list.last, list.sum, list.used = at, list.sum + units, list.used + units
end

local function freedAt(key, list, limit, length)
  local freed = list.oldest or now
  if list.used > limit then freed = entry(key, search(key, list.place, 2, list.sum - limit)) end
  return freed + length
end
`;

const DECIDE = `
local lists, passed = {}, 1
for i, key in ipairs(KEYS) do
  lists[i] = look(key, tonumber(ARGV[3 * i - 1]))
  if lists[i].used >= tonumber(ARGV[3 * i - 2]) then passed = 0 end
end
local answer = { passed }
for i, key in ipairs(KEYS) do
  local list, limit, length = lists[i], tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  if passed == 1 then add(key, list, 1, length, tonumber(ARGV[3 * i])) end
  answer[2 * i], answer[2 * i + 1] = list.used, freedAt(key, list, limit, length) - now
end
return answer
`;
