import { MAX_KEYS } from "../deduplication-keys";

/**
 * What the functions in Redis share. All keys begin with one hash tag, so that a cluster keeps them on one node:
 * - `state`: paused, heldUntil, limits, size, restored, seq, last (start), beat (the last of any instance), clock
 * - `waiting`: ids by sequence number
 * - `entries`: id → head, line feed, content. The head is what the functions need.
 * - `claims`: id → instance that performs it, sequence number
 * - `keys`, `until`: deduplication keys, and when they expire; `held`: those of requests that do not wait here
 * - `alive`: instances by the end of their lease; `heirs`: gone instance → the one that inherits from it
 * - `owners`: instance → how many entries it has accepted that have not ended; `epochs`: see `backlogReclaim`
 * - `mail:<instance>`: ends to be told there; `handing:<instance>`: those that were given to it last
 * - `batches`: instance → number of what was given to it last
 * - `done:<id>`: a tombstone, so that a repeated command changes nothing
 *
 * The group has a clock of its own, because that of a machine may jump: it never goes back, and it takes at most a short step
 * between two calls. So no lease runs out because Redis was away, and a jump shortens the life of no key.
 */
export const PRELUDE = `
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
local function takeKey(hash, at, by)
  local now = time()
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', p .. ':until', '-inf', now, 'LIMIT', 0, 10)) do
    redis.call('ZREM', p .. ':until', old)
    redis.call('HDEL', p .. ':keys', old)
  end
  local use = redis.call('HGET', p .. ':keys', hash)
  local till = redis.call('ZSCORE', p .. ':until', hash)
  if use and not (till and tonumber(till) <= now) then
    -- The same request asks again, because the reply was lost.
    if cjson.decode(use).by == by then return nil end
    return { 'duplicate', use }
  end
  if not use and redis.call('HLEN', p .. ':keys') >= ${MAX_KEYS} then return { 'keysFull' } end
  redis.call('HSET', p .. ':keys', hash, cjson.encode({ at = at, outcome = 'pending', by = by }))
  redis.call('ZREM', p .. ':until', hash)
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
  if head.hash then settleKey(head.hash, head.forMs, outcome) end
  count(head.owner, -1)
  local owner = heirOf(head.owner)
  -- Four lines: id and outcome, what to tell, head, content.
  redis.call('RPUSH', p .. ':mail:' .. owner, cjson.encode({ id = id, outcome = outcome }) .. '\\n' .. told .. '\\n' .. value)
  redis.call('PUBLISH', p .. ':mail:' .. owner, '')
end
local function unqueue(id, value)
  redis.call('ZREM', p .. ':waiting', id)
  redis.call('HINCRBY', state, 'size', -headOf(value).size)
end
local function isHeld()
  local till = number('heldUntil', 0)
  if till > 0 and till <= wall() then redis.call('HDEL', state, 'heldUntil') end
  return till > wall() and till
end
`;
