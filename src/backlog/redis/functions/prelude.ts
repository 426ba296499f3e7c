import { MAX_KEYS } from "../../deduplication-keys";

/**
 * What the functions in Redis share. All keys begin with one hash tag, so that a cluster keeps them on one node:
 * - `state`: paused, heldUntil, limits, size, restored, seq, last (start), beat (the last of any instance), clock
 * - `waiting`: ids by sequence number; `anytime`: those among them that also begin while starts are closed
 * - `entries`: id → head, line feed, content. The head is what the functions need.
 * - `claims`: id → instance that performs it, sequence number
 * - `keys`, `until`: deduplication keys, and when they expire; `held`: those of requests that do not wait here
 * - `alive`: instances by the end of their lease; `heirs`: gone instance → the one that inherits from it
 * - `owners`: instance → how many entries it has accepted that have not ended; `epochs`: see `backlogReclaim`
 * - `mail:<instance>`: ends to be told there; `handing:<instance>`: those that were given to it last
 * - `batches`: instance → number of what was given to it last
 * - `done:<id>`: a tombstone, so that a repeated command changes nothing
 * - `records`: name → instance that has it, value; `notes:<instance>`: what is to be told there about records
 *
 * The group has a clock of its own, because that of a machine may jump: it never goes back, and it takes at most a short step
 * between two calls. So no lease runs out because Redis was away, and a jump shortens the life of no key.
 */
const PRELUDE = `
local p = KEYS[1]
local state = p .. ':state'
local function number(name, otherwise) return tonumber(redis.call('HGET', state, name) or otherwise) end
local function wall()
  local t = redis.call('TIME')
  return t[1] * 1000 + t[2] / 1000
end
local clock
local function time()
  if clock then return clock end
  local now = wall()
  clock = number('clock', now) + math.max(0, math.min(now - number('wall', now), number('step', 5000)))
  redis.call('HSET', state, 'wall', string.format('%.3f', now), 'clock', string.format('%.3f', clock))
  return clock
end
local function wake() redis.call('PUBLISH', p .. ':wake', '') end
local function headOf(value) return cjson.decode(string.sub(value, 1, string.find(value, '\\n', 1, true) - 1)) end
local function instanceOf(claim) return string.sub(claim, 1, string.find(claim, ' ', 1, true) - 1) end
-- Whether Redis knows an instance and the limits: if not, a beat has to come first.
local function lives(instance)
  if redis.call('HEXISTS', state, 'places') == 0 then return false end
  local lease = redis.call('ZSCORE', p .. ':alive', instance)
  return lease and tonumber(lease) > time() and redis.call('HEXISTS', p .. ':heirs', instance) == 0
end
local function heirOf(instance)
  for _ = 1, 1000 do
    local heir = redis.call('HGET', p .. ':heirs', instance)
    if not heir then break end
    instance = heir
  end
  return instance
end
local function settleKey(hash, forMs, outcome)
  local use = redis.call('HGET', p .. ':keys', hash)
  if not use then return end
  if outcome == 'not-applied' or outcome == 'rejected' then
    redis.call('HDEL', p .. ':keys', hash)
    redis.call('ZREM', p .. ':until', hash)
    return
  end
  local kept = cjson.decode(use)
  kept.outcome = outcome
  redis.call('HSET', p .. ':keys', hash, cjson.encode(kept))
  redis.call('ZADD', p .. ':until', time() + forMs, hash)
end
-- The hash of a use that is not taken, or the refusal. A use that this request has taken before counts as free.
local function freeUse(key, by)
  local now, uses, first, again = time(), tonumber(key.uses or 1), nil, nil
  for n = 0, uses - 1 do
    local hash = n == 0 and key.hash or key.hash .. '.' .. n
    local use = redis.call('HGET', p .. ':keys', hash)
    if not use then return hash end
    local till = redis.call('ZSCORE', p .. ':until', hash)
    till = till and tonumber(till)
    if till and till <= now then return hash end
    -- The same request asks again, because the reply was lost.
    if by and cjson.decode(use).by == by then return hash, nil, true end
    first = first or use
    local left = till and till - now or tonumber(key.forMs)
    again = math.min(again or left, left)
  end
  if not key.uses then return nil, { 'duplicate', first } end
  return nil, { 'usedUp', string.format('%.0f', math.ceil(again)) }
end
local function takeKey(key, at, by)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', p .. ':until', '-inf', time(), 'LIMIT', 0, 10)) do
    redis.call('ZREM', p .. ':until', old)
    redis.call('HDEL', p .. ':keys', old)
  end
  local hash, refusal, isTaken = freeUse(key, by)
  if refusal then return nil, refusal end
  if not isTaken then
    if redis.call('HEXISTS', p .. ':keys', hash) == 0 and redis.call('HLEN', p .. ':keys') >= ${MAX_KEYS} then return nil, { 'keysFull' } end
    redis.call('HSET', p .. ':keys', hash, cjson.encode({ at = at, outcome = 'pending', by = by }))
    redis.call('ZREM', p .. ':until', hash)
  end
  return hash
end
-- All keys, or none. Each is kept with the use that it has got.
local function takeKeys(keys, at)
  local taken = {}
  for n, key in ipairs(keys) do
    local hash, refusal = takeKey(key, at)
    if refusal then
      for _, use in ipairs(taken) do redis.call('HDEL', p .. ':keys', use.hash) end
      return nil, refusal
    end
    taken[n] = { hash = hash, forMs = key.forMs }
  end
  return taken
end
local function count(owner, by)
  if redis.call('HEXISTS', p .. ':heirs', owner) == 1 then redis.call('HINCRBY', state, 'restored', by)
  elseif redis.call('HINCRBY', p .. ':owners', owner, by) <= 0 then redis.call('HDEL', p .. ':owners', owner) end
end
local function finish(id, value, outcome, told)
  local head = headOf(value)
  local wasFull = redis.call('HLEN', p .. ':claims') >= number('places', 0)
  redis.call('HDEL', p .. ':entries', id)
  if redis.call('HDEL', p .. ':claims', id) == 1 and wasFull then wake() end
  redis.call('SET', p .. ':done:' .. id, outcome, 'PX', 600000)
  for _, key in ipairs(head.keys or {}) do settleKey(key.hash, key.forMs, outcome) end
  count(head.owner, -1)
  local owner = heirOf(head.owner)
  -- Four lines: id and outcome, what to tell, head, content.
  redis.call('RPUSH', p .. ':mail:' .. owner, cjson.encode({ id = id, outcome = outcome }) .. '\\n' .. told .. '\\n' .. value)
  redis.call('PUBLISH', p .. ':mail:' .. owner, '')
end
local function queue(id, head, place)
  redis.call('ZADD', p .. ':waiting', place, id)
  if head.anytime then redis.call('ZADD', p .. ':anytime', place, id) end
  redis.call('HINCRBY', state, 'size', head.size)
end
local function unqueue(id, value)
  redis.call('ZREM', p .. ':waiting', id)
  redis.call('ZREM', p .. ':anytime', id)
  redis.call('HINCRBY', state, 'size', -headOf(value).size)
end
local function isHeld()
  local till = number('heldUntil', 0)
  if till > 0 and till <= wall() then redis.call('HDEL', state, 'heldUntil') end
  return till > wall() and till
end
`;

/** Lets a function run on a Redis whose memory is full, because it frees memory or needs little. */
export const ALLOW_OOM = "#!lua flags=allow-oom";
export const NORMAL = "#!lua";

export const functionOf = (flags: string, body: string) => `${flags}\n${PRELUDE}\n${body}`;
