import type { StoreScript } from '@portcullis/plugin-runtime';
import { STORE_CLOCK } from './store-clock.ts';

/**
 * Tells the others what a process has counted, and asks what they have. Each process writes only its own numbers, whole and not as
 * changes: what is told twice counts once. Numbers have a time left instead of a moment, so that no two clocks are compared.
 * - `KEYS`: a hash for each client, with a field for each process.
 * - `ARGV`: the process, the number of windows, then for each client and window the units that count here and the milliseconds until
 *   they do not (0, 0 for nothing).
 * - Returns for each client and window the units of the others together, and the milliseconds until none of them counts.
 *
 * @param clock Lua that defines `now`; another one in tests
 */
export function shareScript(clock: string = STORE_CLOCK): StoreScript {
  return { name: 'limits_share', lua: `${clock}${EXCHANGE}` };
}

const EXCHANGE = `
local own, windows = ARGV[1], tonumber(ARGV[2])
local answer, place = {}, 2
for _, key in ipairs(KEYS) do
  local units, untils, longest = {}, {}, 0
  for i = 1, windows do units[i], untils[i] = 0, now end
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    if fields[f] ~= own then
      local counts = false
      for i = 1, windows do
        local other, till = struct.unpack('>dd', fields[f + 1], 16 * i - 15)
        if till > now then
          counts = true
          units[i] = units[i] + other
          if till > untils[i] then untils[i] = till end
        end
      end
      if not counts then redis.call('HDEL', key, fields[f]) end
    end
  end
  local told = {}
  for i = 1, windows do
    local left = tonumber(ARGV[place + 2])
    told[i] = struct.pack('>dd', tonumber(ARGV[place + 1]), now + left)
    place = place + 2
    if left > longest then longest = left end
    answer[#answer + 1] = units[i]
    answer[#answer + 1] = untils[i] - now
  end
  if longest > 0 then redis.call('HSET', key, own, table.concat(told)) else redis.call('HDEL', key, own) end
  for i = 1, windows do
    if untils[i] - now > longest then longest = untils[i] - now end
  end
  if longest > 0 then redis.call('PEXPIRE', key, longest) end
end
return answer
`;
