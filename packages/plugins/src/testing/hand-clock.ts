/**
 * Lua for tests: a clock that moves when told, under which nothing expires by the real one.
 * @param key where the time is, in milliseconds
 */
export function handClock(key: string): string {
  return `
local real = redis
local now = tonumber(real.call('GET', '${key}'))
local redis = { call = function(name, ...)
  if name == 'PEXPIRE' then return 1 end
  if name == 'SET' then
    local kept, text = ...
    return real.call('SET', kept, text)
  end
  return real.call(name, ...)
end }
`;
}
