/**
 * Lua: `now`, in milliseconds since 1970, by the store's clock. It is the one clock that all gateways have in common, so that it does not
 * matter how far their own ones differ.
 */
export const STORE_CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
