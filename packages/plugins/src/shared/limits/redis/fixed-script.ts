import type { StoreScript } from '@portcullis/plugin-runtime';
import { CALENDAR_LUA } from './calendar-lua.ts';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Decides one request over all its fixed windows, and counts it when all have room.
 * - `KEYS[1]`: a text of the client: the moment of the last request that was counted, then for each window its beginning and its count.
 * - `ARGV`: for each window the limit and the span.
 * - Returns 1 or 0 for passed or refused, then for each window the units that count and the milliseconds until it ends.
 *
 * A moment before one that it has seen is taken for that one: a store whose clock goes back gives nobody a window for a second time.
 * @param hasCalendar whether a span is a month or year; without, the script is shorter
 * @param clock Lua that defines `now`; another one in tests
 */
export function fixedScript(hasCalendar: boolean, clock: string = STORE_CLOCK): StoreScript {
  const name = hasCalendar ? 'limits_calendar' : 'limits_fixed';
  return { name, lua: `${clock}${hasCalendar ? CALENDAR_LUA : LENGTHS_LUA}${DECIDE}` };
}

/** The same as {@link CALENDAR_LUA} for lengths. */
const LENGTHS_LUA = `
local function bounds(span, now)
  local length = tonumber(span)
  local start = now - now % length
  return start, start + length
end
`;

const DECIDE = `
local count = #ARGV / 2
local kept = redis.call('GET', KEYS[1])
if kept then
  local at = struct.unpack('>d', kept)
  if at > now then now = at end
end

local passed = 1
local answer, starts = { 1 }, {}
local longest, isNew = 0, not kept
for i = 1, count do
  local start, stop = bounds(ARGV[2 * i], now)
  local used = 0
  if kept then
    local began, units = struct.unpack('>dd', kept, 16 * i - 7)
    if began == start then used = units else isNew = true end
  end
  if used >= tonumber(ARGV[2 * i - 1]) then passed = 0 end
  if stop - now > longest then longest = stop - now end
  starts[i], answer[2 * i], answer[2 * i + 1] = start, used, stop - now
end
if passed == 0 then
  answer[1] = 0
  return answer
end

local changed = struct.pack('>d', now)
for i = 1, count do
  answer[2 * i] = answer[2 * i] + 1
  changed = changed .. struct.pack('>dd', starts[i], answer[2 * i])
end
if isNew then redis.call('SET', KEYS[1], changed, 'PX', longest) else redis.call('SET', KEYS[1], changed, 'KEEPTTL') end
return answer
`;
