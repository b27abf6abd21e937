import type { StoreScript } from '@portcullis/plugin-runtime';
import { fixedLua } from './fixed-script.ts';
import { SLIDING_LUA } from './sliding-script.ts';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Counts what a process let through, whether there is room or not, and says what is counted in all. It writes what the deciding scripts write.
 * - `KEYS`: the lane of the call, then for each client its keys.
 * - `ARGV`: the number of the call, the number of windows, for each window what the deciding scripts get, then for each client and window the
 *   beginning of the window (0 with `sliding`) and the units. What is told of a window that is over is left out.
 * - Returns the time, then for each client and window the units that count, the beginning of the window, and its end; with `sliding` 0 and the
 *   moment at which the oldest stops counting or, where there is no room, at which there is.
 *
 * A lane holds the number of the last call that was counted on it, for a day: a call that is repeated, because no answer came, is not counted
 * again. Number 0 tells nothing and takes no lane.
 * @param clock Lua that defines `now`; another one in tests
 */
export function tellScript(isSliding: boolean, hasCalendar: boolean, clock: string = STORE_CLOCK): StoreScript {
  const name = isSliding ? 'limits_tell_sliding' : 'limits_tell_fixed';
  const own = isSliding ? `${SLIDING_LUA}${ONCE}${TELL_SLIDING}` : `${fixedLua(hasCalendar)}${ONCE}${TELL_FIXED}`;
  return { name, lua: `${clock}${own}` };
}

const ONCE = `
local number, windows = ARGV[1], tonumber(ARGV[2])
local isTold = number ~= '0' and redis.call('GET', KEYS[1]) ~= number
if isTold then redis.call('SET', KEYS[1], number, 'PX', 86400000) end
local answer, place = { now }, 2 + 3 * windows

local function say(units, start, stop)
  local length = #answer
  answer[length + 1], answer[length + 2], answer[length + 3] = units, start, stop
end
`;

const TELL_FIXED = `
for k = 2, #KEYS do
  local kept, isChanged = look(KEYS[k], 3, windows), false
  for i = 1, windows do
    local start, units = tonumber(ARGV[place + 1]), tonumber(ARGV[place + 2])
    place = place + 2
    if isTold and units > 0 and start >= kept.starts[i] then
      kept.counts[i] = kept.counts[i] + units
      isChanged = true
    end
    say(kept.counts[i], kept.starts[i], kept.stops[i])
  end
  if isChanged then keep(KEYS[k], kept) end
end
return answer
`;

const TELL_SLIDING = `
for k = 2, #KEYS do
  local i = (k - 2) % windows + 1
  local limit, length, part = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
  local list, units = look(KEYS[k], length), tonumber(ARGV[place + 2])
  place = place + 2
  if isTold and units > 0 then add(KEYS[k], list, units, length, part) end
  say(list.used, 0, freedAt(KEYS[k], list, limit, length))
end
return answer
`;
