import type { StoreScript } from '@portcullis/plugin-runtime';
import { CALENDAR_LUA } from './calendar-lua.ts';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Decides one request over all its fixed windows, and counts it when all have room.
 * - `KEYS[1]`: a hash of the client. For each window its count, and where that window began.
 * - `ARGV`: for each window the limit and the span.
 * - Returns 1 or 0 for passed or refused, then for each window the units that count and the milliseconds until it ends.
 *
 * A moment before one that it has seen is taken for that one: a store whose clock goes back gives nobody a window for a second time.
 * @param clock Lua that defines `now`; another one in tests
 */
export function fixedScript(clock: string = STORE_CLOCK): StoreScript {
  return { name: 'limits_fixed', lua: `${clock}${CALENDAR_LUA}${DECIDE}` };
}

const DECIDE = `
local count = #ARGV / 2
local names = { 'at' }
for i = 1, count do
  names[2 * i] = ARGV[2 * i]
  names[2 * i + 1] = ARGV[2 * i] .. '@'
end
local kept = redis.call('HMGET', KEYS[1], unpack(names))
if kept[1] and tonumber(kept[1]) > now then now = tonumber(kept[1]) end

local passed = 1
local used, starts, lefts = {}, {}, {}
local longest = 0
for i = 1, count do
  local start, stop = bounds(ARGV[2 * i], now)
  starts[i], lefts[i], used[i] = start, stop - now, 0
  if kept[2 * i + 1] and tonumber(kept[2 * i + 1]) == start then used[i] = tonumber(kept[2 * i]) end
  if used[i] >= tonumber(ARGV[2 * i - 1]) then passed = 0 end
  if lefts[i] > longest then longest = lefts[i] end
end

local answer = { passed }
local changes = { 'at', string.format('%.0f', now) }
for i = 1, count do
  used[i] = used[i] + passed
  answer[2 * i], answer[2 * i + 1] = used[i], lefts[i]
  changes[4 * i - 1], changes[4 * i] = ARGV[2 * i], string.format('%.0f', used[i])
  changes[4 * i + 1], changes[4 * i + 2] = ARGV[2 * i] .. '@', string.format('%.0f', starts[i])
end
if passed == 1 then
  redis.call('HSET', KEYS[1], unpack(changes))
  redis.call('PEXPIRE', KEYS[1], longest)
end
return answer
`;
