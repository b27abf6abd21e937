import { MOMENTS_PER_WINDOW_MAX } from './rolling-window.ts';
import { MODELS_PER_SUBJECT_MAX } from './subject-usage.ts';

/** A script of a store. `StoreScript` of `@portcullis/plugin-runtime` is one. Each is made once: hosts keep by its object what they know of it. */
export interface LimitScript {
  readonly name: string;
  readonly lua: string;
}

/** Both scripts of shared limits. */
export interface LimitScripts {
  readonly admit: LimitScript;
  readonly settle: LimitScript;
}

/**
 * Makes the scripts.
 *
 * `ai_admit` decides both limits of a policy, and counts and reserves only when both have room.
 * - `KEYS`: requests for the model, a list of moments; the subject's models, a sorted set; requests for further models; the budget, a hash; what is held back, a
 *   sorted set by the end of the lease.
 * - `ARGV`: the model, the limit, its window and the parts in which moments become one, in milliseconds; the budget, its window (0: none), the
 *   estimate, the lease and how long a budget without a window is kept, in milliseconds; the reservation: tokens, `:` and an ID.
 * - Returns 0 (admitted), 1 (rate limit) or 2 (budget); requests that count, milliseconds until none does, and until one more has room; tokens that are taken,
 *   milliseconds to the end of the budget's window (-1: none), and the end of the lease.
 *
 * `ai_settle` gives back what was held and charges what was used.
 * - `KEYS`: the budget, what is held back. `ARGV`: the reservation, the tokens used, the budget's window, the lease's length and the time a budget is kept, in milliseconds,
 *   and the end of the lease.
 * - Returns 1, or 0 where it was settled before.
 *
 * What a process held that died is given back when its lease is over: each decision looks for such. Every key expires.
 * @param clock Lua that defines `now`, milliseconds since 1970; another one in tests
 */
export function limitScripts(clock: string = STORE_CLOCK): LimitScripts {
  return {
    admit: { name: 'ai_admit', lua: clock + REQUESTS + BUDGET + ADMIT },
    settle: { name: 'ai_settle', lua: clock + BUDGET + SETTLE },
  };
}

/** The store's clock is the one that all processes have in common. */
const STORE_CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** An entry of a list: a moment, all requests up to it, and those of the moment itself. A clock that goes back is taken for the last moment. */
const REQUESTS = `
local FORM = '>ddd'

local function entry(key, place)
  local text = redis.call('LINDEX', key, place)
  if text then return struct.unpack(FORM, text) end
end

local function look(key, length)
  local list = { key = key, at = now, used = 0, sum = 0 }
  local last, sum, count = entry(key, -1)
  if not last then return list end
  if last <= now - length or last - now >= length then
    redis.call('DEL', key)
    return list
  end
  if last > now then list.at = last end
  local head, before, own = entry(key, 0)
  while head <= list.at - length do
    redis.call('LPOP', key)
    head, before, own = entry(key, 0)
  end
  list.last, list.sum, list.count, list.used, list.own = last, sum, count, sum - before + own, own
  list.head = head
  return list
end

local function add(list, length, part)
  local isOne = list.last == list.at
  if list.last and not isOne and math.floor(list.last / part) == math.floor(list.at / part) then
    isOne = redis.call('LLEN', list.key) >= ${MOMENTS_PER_WINDOW_MAX}
  end
  list.sum = list.sum + 1
  local text = struct.pack(FORM, list.at, list.sum, isOne and list.count + 1 or 1)
  if isOne then redis.call('LSET', list.key, -1, text) else redis.call('RPUSH', list.key, text) end
  redis.call('PEXPIRE', list.key, length + list.at - now)
  list.last, list.used = list.at, list.used + 1
end

-- Until at most so many count.
local function waits(list, length, most)
  if list.used <= most then return 0 end
  if list.used - list.own <= most then return list.head + length - now end
  local low, high = 0, redis.call('LLEN', list.key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    local _, upTo = entry(list.key, middle)
    if list.sum - upTo <= most then high = middle else low = middle + 1 end
  end
  return entry(list.key, low) + length - now
end

-- The list of a model: its own, unless there are too many, or others are counted together still.
local function listOf(model, length)
  local isKnown = redis.call('ZSCORE', KEYS[2], model)
  if isKnown then return look(KEYS[1], length) end
  local others = look(KEYS[3], length)
  if others.used > 0 then return others end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - length)
  if redis.call('ZCARD', KEYS[2]) >= ${MODELS_PER_SUBJECT_MAX} then return others end
  return look(KEYS[1], length)
end
`;

const BUDGET = `
local function whole(number)
  return string.format('%.0f', number)
end

-- The budget as it is in its window now, without what dead processes held.
local function budgetOf(key, held, length)
  local kept = redis.call('HMGET', key, 'used', 'held', 'start')
  local budget = { used = tonumber(kept[1] or 0), held = tonumber(kept[2] or 0), start = tonumber(kept[3] or 0) }
  local over = redis.call('ZRANGEBYSCORE', held, '-inf', now)
  for _, member in ipairs(over) do
    budget.held = budget.held - tonumber(string.match(member, '^%d+'))
    redis.call('ZREM', held, member)
  end
  if redis.call('ZCARD', held) == 0 then budget.held = 0 end
  if length > 0 then
    local start = now - now % length
    -- A clock that goes back by a window gives nobody a window twice.
    if start > budget.start or budget.start - start > length then
      budget.used, budget.start = 0, start
    end
    budget.ends = budget.start + length
  end
  return budget
end

local function keep(key, budget, lease, always)
  local held = budget.held > 0 and budget.held or 0
  redis.call('HSET', key, 'used', whole(budget.used), 'held', whole(held), 'start', whole(budget.start))
  local lasts = always
  if budget.ends then lasts = math.max(budget.ends - now, lease) end
  redis.call('PEXPIRE', key, whole(math.max(lasts, 1)))
end
`;

const ADMIT = `
local model, limit, length, part = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local most, window, estimate = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local lease, always, member = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]
local list, budget
local refused = 0
if most > 0 then
  budget = budgetOf(KEYS[4], KEYS[5], window)
  if budget.used + budget.held + estimate > most then refused = 2 end
end
if limit > 0 then
  list = listOf(model, length)
  if list.used >= limit then refused = 1 end
end
local waiting = 0
if refused == 1 then waiting = waits(list, length, limit - 1) end
if refused == 0 then
  if list then
    add(list, length, part)
    if list.key == KEYS[1] then
      redis.call('ZADD', KEYS[2], whole(list.at), model)
      redis.call('PEXPIRE', KEYS[2], length + list.at - now)
    end
  end
  if budget then
    budget.held = budget.held + estimate
    redis.call('ZADD', KEYS[5], whole(now + lease), member)
    redis.call('PEXPIRE', KEYS[5], lease)
  end
end
if budget and (refused == 0 or redis.call('EXISTS', KEYS[4]) == 1) then keep(KEYS[4], budget, lease, always) end
local answer = { refused, 0, 0, waiting, 0, -1, now + lease }
if list then
  answer[2] = list.used
  if list.last then answer[3] = list.last + length - now end
end
if budget then
  answer[5] = budget.used + budget.held
  if budget.ends then answer[6] = budget.ends - now end
end
return answer
`;

const SETTLE = `
local member, used, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local lease, always, ends = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local held = tonumber(string.match(member, '^%d+'))
local isHeld = redis.call('ZREM', KEYS[2], member) == 1
-- What is neither held nor given back by its lease was settled by a call whose answer got lost.
if not isHeld and now < ends then return 0 end
local budget = budgetOf(KEYS[1], KEYS[2], window)
if isHeld then budget.held = math.max(0, budget.held - held) end
budget.used = budget.used + used
keep(KEYS[1], budget, lease, always)
return 1
`;
