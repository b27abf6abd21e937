import type { StoreScript } from '@portcullis/plugin-runtime';
import { CALENDAR_LUA } from './calendar-lua.ts';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Decides one request over all its fixed windows, and counts it when all have room.
 * - `KEYS[1]`: a text of the client: for each window its beginning and its count.
 * - `ARGV`: for each window the limit, the span, and 0.
 * - Returns 1 or 0 for passed or refused, then for each window the units that count and the milliseconds until it ends.
 *
 * A clock that goes back by a window at most gives nobody a window for a second time: the one that was begun goes on. One that goes back further
 * begins anew, so that a clock which was wrong for a moment shuts nobody out for longer than two windows.
 * @param hasCalendar whether a span is a month or year; without, the script is shorter
 * @param clock Lua that defines `now`; another one in tests
 */
export function fixedScript(hasCalendar: boolean, clock: string = STORE_CLOCK): StoreScript {
  const name = hasCalendar ? 'limits_calendar' : 'limits_fixed';
  return { name, lua: `${clock}${fixedLua(hasCalendar)}${DECIDE}` };
}

/** Lua: `look(key, from, windows)`, what is kept of a client; the windows' arguments begin at `from`. And `keep(key, kept)`. */
export function fixedLua(hasCalendar: boolean): string {
  return `${hasCalendar ? CALENDAR_LUA : LENGTHS_LUA}${RECORD}`;
}

/** The same as {@link CALENDAR_LUA} for lengths. */
const LENGTHS_LUA = `
local function bounds(span, now)
  local length = tonumber(span)
  local start = now - now % length
  return start, start + length
end
`;

const RECORD = `
local function look(key, from, windows)
  local text = redis.call('GET', key)
  local kept = { starts = {}, stops = {}, counts = {}, isNew = not text }
  for i = 1, windows do
    local span = ARGV[from + 3 * i - 2]
    local start, stop = bounds(span, now)
    local units = 0
    if text then
      local began, counted = struct.unpack('>dd', text, 16 * i - 15)
      -- The clock went back into the window before.
      if began == stop then start, stop = bounds(span, began) end
      if began == start then units = counted else kept.isNew = true end
    end
    kept.starts[i], kept.stops[i], kept.counts[i] = start, stop, units
  end
  return kept
end

local function keep(key, kept)
  local parts, longest = {}, 0
  for i, start in ipairs(kept.starts) do
    parts[i] = struct.pack('>dd', start, kept.counts[i])
    if kept.stops[i] - now > longest then longest = kept.stops[i] - now end
  end
  local text = table.concat(parts)
  if kept.isNew then redis.call('SET', key, text, 'PX', longest) else redis.call('SET', key, text, 'KEEPTTL') end
end
`;

const DECIDE = `
local windows = #ARGV / 3
local kept = look(KEYS[1], 1, windows)
local counts = kept.counts
local passed = 1
for i = 1, windows do
  if counts[i] >= tonumber(ARGV[3 * i - 2]) then passed = 0 end
end
local answer = { passed }
for i = 1, windows do
  counts[i] = counts[i] + passed
  answer[2 * i], answer[2 * i + 1] = counts[i], kept.stops[i] - now
end
if passed == 1 then keep(KEYS[1], kept) end
return answer
`;
