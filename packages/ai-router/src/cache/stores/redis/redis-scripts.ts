import type { LimitScript } from '../../../policy/limit-scripts.ts';

/*
 * What a space keeps in Redis, all of it with an expiry:
 *   entry     text: an answer
 *   index     sorted set: keys of all answers by when they end
 *   sizes     hash: key → `bytes:partition`, and `#` → bytes of all of them
 *   log       sorted set, one for each partition: keys in the order in which they were put
 *   vectors   hash, one for each partition: key → what is compared; `#` → the partition's generation, `#at` → its last position
 * Keys of answers are hexadecimal, so that no answer has a name with `#`. No script looks at more than a bounded number of entries, and none compares
 * vectors: the store runs one script at a time, for all tenants.
 */

/** Entries that one call of {@link putScript} removes at most. One that would need more room is not kept. */
export const VICTIMS_MAX = 128;

/** Heads of a space and of a partition that are looked at for what is past its time, when something is put into them. */
const HEADS_MAX = 8;

const lengthen = `
local function lengthen(key, lasts)
  if redis.call('PTTL', key) < lasts then redis.call('PEXPIRE', key, lasts) end
end
`;

/**
 * Keeps an answer. KEYS entry, index, sizes, log, vectors. ARGV key, partition, answer, what is compared (or nothing), bytes, end, now, generation for a
 * new partition, entries and bytes of the space at most, entries of the partition at most.
 * Returns 1, or 0 when there was no room, and then what was removed: key and partition by turns; the caller has to `forget` it.
 */
export const putScript: LimitScript = {
  name: 'ai_cache_put',
  lua: `${lengthen}
local key, partition, answer, compared = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local bytes, ends, now = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local most, mostBytes, mostHere = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local lasts = ends - now
local function sizeOf(one)
  local size = redis.call('HGET', KEYS[3], one)
  if not size then return 0, nil end
  local at = string.find(size, ':', 1, true)
  return tonumber(string.sub(size, 1, at - 1)), string.sub(size, at + 1)
end
local total = tonumber(redis.call('HGET', KEYS[3], '#') or '0')
local known = sizeOf(key)
local count = redis.call('ZCARD', KEYS[2])
if known > 0 then count = count - 1 end
total = total - known
local result = { 1 }
local looks = ${HEADS_MAX}
if count + 1 > most or total + bytes > mostBytes then looks = ${VICTIMS_MAX} end
local oldest = redis.call('ZRANGE', KEYS[2], 0, looks - 1, 'WITHSCORES')
for at = 1, #oldest, 2 do
  local one = oldest[at]
  local isOver = count + 1 > most or total + bytes > mostBytes
  if not isOver and tonumber(oldest[at + 1]) > now then break end
  if one ~= key then
    local size, where = sizeOf(one)
    redis.call('ZREM', KEYS[2], one)
    redis.call('HDEL', KEYS[3], one)
    total = total - size
    count = count - 1
    result[#result + 1] = one
    result[#result + 1] = where or ''
  end
end
if total < 0 then total = 0 end
if count + 1 > most or total + bytes > mostBytes then
  if known > 0 then total = total + known end
  redis.call('HSET', KEYS[3], '#', total)
  lengthen(KEYS[3], lasts)
  result[1] = 0
  return result
end
redis.call('SET', KEYS[1], answer, 'PX', lasts)
redis.call('ZADD', KEYS[2], ends, key)
redis.call('HSET', KEYS[3], key, bytes .. ':' .. partition, '#', total + bytes)
lengthen(KEYS[2], lasts)
lengthen(KEYS[3], lasts)
if compared == '' then return result end
if redis.call('HEXISTS', KEYS[5], '#') == 0 then
  redis.call('DEL', KEYS[4], KEYS[5])
  redis.call('HSET', KEYS[5], '#', ARGV[8])
end
local position = redis.call('HINCRBY', KEYS[5], '#at', 1)
redis.call('HSET', KEYS[5], key, compared)
redis.call('ZADD', KEYS[4], position, key)
local over = redis.call('ZCARD', KEYS[4]) - mostHere
local heads = redis.call('ZRANGE', KEYS[4], 0, ${HEADS_MAX - 1})
for at = 1, #heads do
  local ended = tonumber(string.match(redis.call('HGET', KEYS[5], heads[at]) or '', '^%[(%d+)') or '0') <= now
  if at > over and not ended then break end
  redis.call('ZREM', KEYS[4], heads[at])
  redis.call('HDEL', KEYS[5], heads[at])
end
lengthen(KEYS[4], lasts)
lengthen(KEYS[5], lasts)
return result
`,
};

/** Forgets what `put` removed. KEYS entry, log, vectors for each; ARGV key for each. */
export const forgetScript: LimitScript = {
  name: 'ai_cache_forget',
  lua: `
for at = 1, #ARGV do
  redis.call('DEL', KEYS[3 * at - 2])
  redis.call('ZREM', KEYS[3 * at - 1], ARGV[at])
  redis.call('HDEL', KEYS[3 * at], ARGV[at])
end
return #ARGV
`,
};

/**
 * What was put into a partition after a position. KEYS log, vectors. ARGV position, how many at most.
 * Returns the generation, and then key, position and what is compared by turns.
 */
export const followScript: LimitScript = {
  name: 'ai_cache_follow',
  lua: `
local result = { redis.call('HGET', KEYS[2], '#') or '' }
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, tonumber(ARGV[2]))
for at = 1, #found, 2 do
  result[#result + 1] = found[at]
  result[#result + 1] = found[at + 1]
  result[#result + 1] = redis.call('HGET', KEYS[2], found[at]) or ''
end
return result
`,
};

/** Answers, as far as they are there. KEYS entries. ARGV bytes from which on no more are read. Returns a list with nothing in the places of the others. */
export const readScript: LimitScript = {
  name: 'ai_cache_read',
  lua: `
local result = {}
local left = tonumber(ARGV[1])
for at = 1, #KEYS do
  local answer = left > 0 and redis.call('GET', KEYS[at])
  result[at] = answer or ''
  if answer then left = left - #answer end
end
return result
`,
};
