/**
 * The engine in Redis, as functions that run there: each is atomic, and a lost reply can be asked for again. They use the
 * time of the server, so that all instances share one clock.
 *
 * All keys begin with one hash tag, so that a cluster keeps them on one node:
 * - `state`: paused, heldUntil, limits, size, seq, last (start), beat (the last of any instance)
 * - `waiting`: ids by sequence number
 * - `entries`: id → head, line feed, content. The head is what the functions need.
 * - `claims`: id → instance that performs it
 * - `keys`, `until`: deduplication keys, and when they expire
 * - `alive`: instances by the end of their lease; `heirs`: gone instance → the one that inherits from it
 * - `mail:<instance>`: ends to be told there; `handing:<instance>`: those that were given to it last
 * - `done:<id>`: a tombstone, so that a repeated command changes nothing
 */
const PRELUDE = `
local p = KEYS[1]
local function time()
  local t = redis.call('TIME')
  return t[1] * 1000 + t[2] / 1000
end
local function wake() redis.call('PUBLISH', p .. ':wake', '') end
local function headOf(value) return cjson.decode(string.sub(value, 1, string.find(value, '\\n', 1, true) - 1)) end
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
local function finish(id, value, outcome, told)
  local head = headOf(value)
  redis.call('HDEL', p .. ':entries', id)
  redis.call('HDEL', p .. ':claims', id)
  redis.call('SET', p .. ':done:' .. id, outcome, 'PX', 600000)
  if head.hash then settleKey(head.hash, head.forMs, outcome) end
  local owner = heirOf(head.owner)
  -- Four lines: id and outcome, what to tell, head, content.
  redis.call('RPUSH', p .. ':mail:' .. owner, cjson.encode({ id = id, outcome = outcome }) .. '\\n' .. told .. '\\n' .. value)
  redis.call('PUBLISH', p .. ':mail', owner)
end
local function takeKey(hash, at)
  local now = time()
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', p .. ':until', '-inf', now, 'LIMIT', 0, 10)) do
    redis.call('ZREM', p .. ':until', old)
    redis.call('HDEL', p .. ':keys', old)
  end
  local use = redis.call('HGET', p .. ':keys', hash)
  local till = redis.call('ZSCORE', p .. ':until', hash)
  if use and not (till and tonumber(till) <= now) then return { 'duplicate', use } end
  if not use and redis.call('HLEN', p .. ':keys') >= 200000 then return { 'keysFull' } end
  redis.call('HSET', p .. ':keys', hash, cjson.encode({ at = at, outcome = 'pending' }))
  redis.call('ZREM', p .. ':until', hash)
end
local function limit(name, otherwise)
  return tonumber(redis.call('HGET', p .. ':state', name) or otherwise)
end
local function startsAtOnce()
  return redis.call('ZCARD', p .. ':waiting') == 0 and redis.call('HGET', p .. ':state', 'paused') ~= '1'
    and redis.call('HEXISTS', p .. ':state', 'heldUntil') == 0
    and redis.call('HLEN', p .. ':claims') < limit('places', 0)
end
`;

/** Lets a function run on a Redis whose memory is full, because it frees memory or needs little. */
const ALLOW_OOM = "#!lua flags=allow-oom";
const NORMAL = "#!lua";

const functionOf = (flags: string, body: string) => `${flags}\n${PRELUDE}\n${body}`;

/** By name, as `defineCommand` takes them. Each has one key, the prefix. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  /** id, head, content, at → kind, first use */
  backlogAccept: functionOf(
    NORMAL,
    `
    local id, value, at = ARGV[1], ARGV[2], ARGV[3]
    if redis.call('HEXISTS', p .. ':entries', id) == 1 then return { 'accepted' } end
    local done = redis.call('GET', p .. ':done:' .. id)
    if done then return { done == 'refused' and 'refused' or 'accepted' } end
    local head = headOf(value)
    local size = limit('size', 0)
    if (redis.call('ZCARD', p .. ':waiting') >= limit('entries', 0) or size + head.size > limit('bytes', 0))
      and not startsAtOnce() then return { 'full' } end
    if head.hash then
      local refusal = takeKey(head.hash, tonumber(at))
      if refusal then return refusal end
    end
    redis.call('HSET', p .. ':entries', id, value)
    redis.call('ZADD', p .. ':waiting', redis.call('HINCRBY', p .. ':state', 'seq', 1), id)
    redis.call('HINCRBY', p .. ':state', 'size', head.size)
    wake()
    return { 'accepted' }
    `,
  ),
  /** id → whether it was accepted. If not, it never will be. */
  backlogRefuse: functionOf(
    ALLOW_OOM,
    `
    local id = ARGV[1]
    if redis.call('HEXISTS', p .. ':entries', id) == 1 then return 'accepted' end
    local done = redis.call('GET', p .. ':done:' .. id)
    if done and done ~= 'refused' then return 'accepted' end
    redis.call('SET', p .. ':done:' .. id, 'refused', 'PX', 600000)
    return 'refused'
    `,
  ),
  /** instance, most, lead in ms → ms until there may be more (-1: not by time alone), then id, value, ms until its start … */
  backlogTake: functionOf(
    ALLOW_OOM,
    `
    local instance, most, lead = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return { '-1' } end
    local state = p .. ':state'
    if redis.call('HGET', state, 'paused') == '1' or redis.call('HEXISTS', state, 'heldUntil') == 1 then return { '-1' } end
    local now = time()
    local rate, places = limit('rate', 0), limit('places', 0)
    local last = limit('last', 0)
    local claimed = redis.call('HLEN', p .. ':claims')
    local answer, wait, looked = {}, -1, 0
    while #answer / 3 < most and claimed < places and looked < 500 do
      looked = looked + 1
      local start = now
      if rate > 0 then
        start = math.max(now, last + 1000 / rate)
        if start > now + lead then
          wait = start - now - lead
          break
        end
      end
      local popped = redis.call('ZPOPMIN', p .. ':waiting')
      if #popped == 0 then break end
      local id = popped[1]
      local value = redis.call('HGET', p .. ':entries', id)
      if value then
        local head = headOf(value)
        redis.call('HINCRBY', state, 'size', -head.size)
        if head.notAfter and now > head.notAfter then
          finish(id, value, 'not-applied', '{"cut":"expired"}')
        else
          last = start
          claimed = claimed + 1
          redis.call('HSET', p .. ':claims', id, instance .. ' ' .. popped[2])
          table.insert(answer, id)
          table.insert(answer, value)
          table.insert(answer, tostring(start - now))
        end
      end
    end
    if rate > 0 then redis.call('HSET', state, 'last', string.format('%.3f', last)) end
    if looked == 500 then wait = 0 end
    table.insert(answer, 1, tostring(wait))
    return answer
    `,
  ),
  /** instance, known ids … : claims of the instance that it does not know were never begun, and wait again */
  backlogReclaim: functionOf(
    ALLOW_OOM,
    `
    local instance = ARGV[1]
    local known = {}
    for n = 2, #ARGV do known[ARGV[n]] = true end
    local claims = redis.call('HGETALL', p .. ':claims')
    for n = 1, #claims, 2 do
      local id, by = claims[n], claims[n + 1]
      local blank = string.find(by, ' ', 1, true)
      if not known[id] and string.sub(by, 1, blank - 1) == instance then
        redis.call('HDEL', p .. ':claims', id)
        redis.call('ZADD', p .. ':waiting', string.sub(by, blank + 1), id)
        local value = redis.call('HGET', p .. ':entries', id)
        if value then redis.call('HINCRBY', p .. ':state', 'size', headOf(value).size) end
      end
    end
    wake()
    `,
  ),
  /** instance, id, outcome, end */
  backlogSettle: functionOf(
    ALLOW_OOM,
    `
    local instance, id, outcome, told = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
    local by = redis.call('HGET', p .. ':claims', id)
    if not by or string.sub(by, 1, string.find(by, ' ', 1, true) - 1) ~= instance then return 0 end
    finish(id, redis.call('HGET', p .. ':entries', id), outcome, told)
    wake()
    return 1
    `,
  ),
  /** instance, most → ends to tell. Those that were given before are done with. */
  backlogMail: functionOf(
    ALLOW_OOM,
    `
    local mail, handing = p .. ':mail:' .. ARGV[1], p .. ':handing:' .. ARGV[1]
    redis.call('DEL', handing)
    local items = redis.call('LPOP', mail, tonumber(ARGV[2]))
    if not items then return {} end
    redis.call('RPUSH', handing, unpack(items))
    return items
    `,
  ),
  /** instance, lease in ms, longest stop in ms → 'gone' if another has inherited from this instance */
  backlogBeat: functionOf(
    ALLOW_OOM,
    `
    local instance, lease = ARGV[1], tonumber(ARGV[2])
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return 'gone' end
    local now = time()
    local last = limit('beat', now)
    if now - last > tonumber(ARGV[3]) and redis.call('ZCARD', p .. ':waiting') > 0 then
      redis.call('HSET', p .. ':state', 'paused', '1')
    end
    redis.call('HSET', p .. ':state', 'beat', string.format('%.0f', now))
    redis.call('ZADD', p .. ':alive', now + lease, instance)
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', p .. ':alive', '-inf', now)) do
      redis.call('ZREM', p .. ':alive', gone)
      redis.call('HSET', p .. ':heirs', gone, instance)
      local mail = p .. ':mail:' .. instance
      for _, item in ipairs(redis.call('LRANGE', p .. ':handing:' .. gone, 0, -1)) do
        redis.call('RPUSH', mail, 'handing\\n' .. item)
      end
      for _, item in ipairs(redis.call('LRANGE', p .. ':mail:' .. gone, 0, -1)) do redis.call('RPUSH', mail, item) end
      redis.call('DEL', p .. ':handing:' .. gone, p .. ':mail:' .. gone)
      local claims = redis.call('HGETALL', p .. ':claims')
      for n = 1, #claims, 2 do
        local id, by = claims[n], claims[n + 1]
        if string.sub(by, 1, string.find(by, ' ', 1, true) - 1) == gone then
          finish(id, redis.call('HGET', p .. ':entries', id), 'unknown', '{"cut":"lost"}')
        end
      end
      redis.call('PUBLISH', p .. ':mail', instance)
      wake()
    end
    return 'alive'
    `,
  ),
  /** node or '', sequence number to go on from, most → next sequence number (-1: the end), dropped */
  backlogDrop: functionOf(
    ALLOW_OOM,
    `
    local node, from, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
    local found = redis.call('ZRANGEBYSCORE', p .. ':waiting', '(' .. from, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
    local dropped, last = 0, '-1'
    for n = 1, #found, 2 do
      local id = found[n]
      local value = redis.call('HGET', p .. ':entries', id)
      local head = headOf(value)
      if node == '' or head.nodeId == node then
        redis.call('ZREM', p .. ':waiting', id)
        redis.call('HINCRBY', p .. ':state', 'size', -head.size)
        finish(id, value, 'not-applied', '{"cut":"dropped"}')
        dropped = dropped + 1
      end
      if n == 2 * most - 1 then last = found[n + 1] end
    end
    return { last, dropped }
    `,
  ),
  /** hash, at → kind, first use */
  backlogTakeKey: functionOf(NORMAL, "return takeKey(ARGV[1], tonumber(ARGV[2])) or { 'accepted' }"),
  /** hash, forMs, outcome */
  backlogSettleKey: functionOf(ALLOW_OOM, "settleKey(ARGV[1], tonumber(ARGV[2]), ARGV[3])"),
  /** name, value … : an empty value removes the name */
  backlogSet: functionOf(
    ALLOW_OOM,
    `
    for n = 1, #ARGV, 2 do
      if ARGV[n + 1] == '' then redis.call('HDEL', p .. ':state', ARGV[n])
      else redis.call('HSET', p .. ':state', ARGV[n], ARGV[n + 1]) end
    end
    wake()
    `,
  ),
};
