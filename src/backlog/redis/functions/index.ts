import { ALLOW_OOM, functionOf, NORMAL } from "./prelude";
import { INHERIT_RECORDS, RECORDS } from "./records";

/**
 * The engine in Redis, as functions that run there: each is atomic, and a lost reply can be asked for again. They use the
 * time of the server, so that all instances share one clock. By name, as `defineCommand` takes them. Each has one key, the
 * prefix.
 */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  ...RECORDS,
  /**
   * instance, id, value, at, entries and bytes that wait elsewhere, 1 if starts are open → kind, first use or ms until a use is
   * free; or `absent`: a beat has to come first
   */
  backlogAccept: functionOf(
    NORMAL,
    `
    local instance, id, value, at = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
    if redis.call('HEXISTS', p .. ':entries', id) == 1 then return { 'accepted' } end
    local done = redis.call('GET', p .. ':done:' .. id)
    if done then return { done == 'refused' and 'refused' or 'accepted' } end
    if not lives(instance) then return { 'absent' } end
    local head = headOf(value)
    local waiting, size, claimed = redis.call('ZCARD', p .. ':waiting'), number('size', 0), redis.call('HLEN', p .. ':claims')
    local rate = number('rate', 0)
    local startsAtOnce = waiting == 0 and (ARGV[7] == '1' or head.anytime) and redis.call('HGET', state, 'paused') ~= '1' and not isHeld()
      and claimed < number('places', 0) and (rate == 0 or number('last', 0) + 1000 / rate <= time())
    local isFull = waiting + ARGV[5] >= number('entries', 0) or size + ARGV[6] + head.size > number('bytes', 0)
    if isFull and not startsAtOnce then return { 'full' } end
    if head.keys then
      local keys, refusal = takeKeys(head.keys, tonumber(at))
      if refusal then return refusal end
      head.keys = keys
      value = cjson.encode(head) .. string.sub(value, string.find(value, '\\n', 1, true), -1)
    end
    -- If others wait, somebody is about to take them.
    if waiting == 0 or (head.anytime and redis.call('ZCARD', p .. ':anytime') == 0) then wake() end
    redis.call('HSET', p .. ':entries', id, value)
    queue(id, head, redis.call('HINCRBY', state, 'seq', 1))
    count(instance, 1)
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
  /** instance, epoch, most, lead in ms, 1 if starts are open → counts with ms until there may be more (-1: not by time alone), then id, value, ms until its start … */
  backlogTake: functionOf(
    ALLOW_OOM,
    `
    local instance, epoch, most, lead = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local takeable, other = p .. ':waiting', p .. ':anytime'
    if ARGV[5] == '0' then takeable, other = other, takeable end
    if not lives(instance) then return { 'absent' } end
    local now, answer, wait = time(), {}, -1
    local held, paused = isHeld(), redis.call('HGET', state, 'paused') == '1'
    if held then wait = held - wall() end
    local isOpen = not held and not paused and epoch >= tonumber(redis.call('HGET', p .. ':epochs', instance) or 0)
    local rate, places, last = number('rate', 0), number('places', 0), number('last', 0)
    local claimed, looked = redis.call('HLEN', p .. ':claims'), 0
    while isOpen and #answer / 3 < most and claimed < places and looked < 500 do
      looked = looked + 1
      local start = now
      if rate > 0 then
        start = last + 1000 / rate
        -- A little too early is no harm: otherwise each delay would delay all that follow.
        if start < now - math.min(250 / rate, 5) then start = now end
        if start > now + lead then
          if redis.call('ZCARD', takeable) > 0 then wait = start - now - lead end
          break
        end
      end
      local popped = redis.call('ZPOPMIN', takeable)
      if #popped == 0 then break end
      local id = popped[1]
      redis.call('ZREM', other, id)
      local value = redis.call('HGET', p .. ':entries', id)
      if value then
        local head = headOf(value)
        redis.call('HINCRBY', state, 'size', -head.size)
        if head.notAfter and wall() + math.max(0, start - now) > head.notAfter then
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
    if rate > 0 and #answer > 0 then redis.call('HSET', state, 'last', string.format('%.3f', last)) end
    if looked == 500 then wait = 0 end
    table.insert(answer, 1, cjson.encode({
      wait = wait, waiting = redis.call('ZCARD', p .. ':waiting'), bytes = number('size', 0),
      restored = number('restored', 0), paused = paused, heldUntil = held or nil,
    }))
    return answer
    `,
  ),
  /**
   * instance, epoch, known ids … : claims of the instance that it does not know were never begun, and wait again. A take of an
   * earlier epoch, whose reply was lost and which may still be under way, claims nothing.
   */
  backlogReclaim: functionOf(
    ALLOW_OOM,
    `
    local instance = ARGV[1]
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return end
    redis.call('HSET', p .. ':epochs', instance, ARGV[2])
    local known = {}
    for n = 3, #ARGV do known[ARGV[n]] = true end
    local claims = redis.call('HGETALL', p .. ':claims')
    for n = 1, #claims, 2 do
      local id, by = claims[n], claims[n + 1]
      if not known[id] and instanceOf(by) == instance then
        redis.call('HDEL', p .. ':claims', id)
        local value = redis.call('HGET', p .. ':entries', id)
        if value then queue(id, headOf(value), string.sub(by, #instance + 2)) end
      end
    end
    wake()
    `,
  ),
  /**
   * instance, id, outcome, end, value or '' → `forgotten` if Redis does not know the entry. With its value, the end is told
   * nevertheless. An entry of which only the claim was forgotten is not performed again.
   */
  backlogSettle: functionOf(
    ALLOW_OOM,
    `
    local instance, id, outcome, told, value = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return 'gone' end
    local by, kept = redis.call('HGET', p .. ':claims', id), redis.call('HGET', p .. ':entries', id)
    if by then
      if instanceOf(by) ~= instance then return 'gone' end
    elseif redis.call('EXISTS', p .. ':done:' .. id) == 1 then return 'settled'
    elseif kept then unqueue(id, kept)
    elseif value == '' then return 'forgotten'
    else count(headOf(value).owner, 1) end
    finish(id, kept or value, outcome, told)
    return 'settled'
    `,
  ),
  /** ids … → those that Redis does not know */
  backlogUnknown: functionOf(
    ALLOW_OOM,
    `
    local unknown = {}
    for n = 1, #ARGV do
      if redis.call('HEXISTS', p .. ':entries', ARGV[n]) == 0 and redis.call('EXISTS', p .. ':done:' .. ARGV[n]) == 0 then
        table.insert(unknown, ARGV[n])
      end
    end
    return unknown
    `,
  ),
  /** instance, number of the last batch that was told, most → number of this batch, ends to tell */
  backlogMail: functionOf(
    ALLOW_OOM,
    `
    local instance, last = ARGV[1], ARGV[2]
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return { last } end
    local mail, handing = p .. ':mail:' .. instance, p .. ':handing:' .. instance
    local batch = redis.call('HGET', p .. ':batches', instance) or last
    local items
    if batch == last then
      redis.call('DEL', handing)
      items = redis.call('LPOP', mail, tonumber(ARGV[3])) or {}
      if #items > 0 then
        redis.call('RPUSH', handing, unpack(items))
        batch = tostring(last + 1)
        redis.call('HSET', p .. ':batches', instance, batch)
      end
    else
      -- The reply with this batch was lost.
      items = redis.call('LRANGE', handing, 0, -1)
    end
    table.insert(items, 1, batch)
    return items
    `,
  ),
  /** instance, lease in ms, longest stop in ms → `gone` if another has inherited from this instance, else `alive` and the limits */
  backlogBeat: functionOf(
    ALLOW_OOM,
    `
    ${INHERIT_RECORDS}
    local instance, lease = ARGV[1], tonumber(ARGV[2])
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return { 'gone' } end
    redis.call('HSET', state, 'step', lease / 3)
    local now, today = time(), wall()
    local waits = redis.call('ZCARD', p .. ':waiting') + redis.call('HLEN', p .. ':records') > 0
    if waits and today - number('beat', today) > tonumber(ARGV[3]) then
      redis.call('HSET', state, 'paused', '1')
    end
    redis.call('HSET', state, 'beat', string.format('%.0f', today))
    redis.call('ZADD', p .. ':alive', now + lease, instance)
    local gone = redis.call('ZRANGEBYSCORE', p .. ':alive', '-inf', now, 'LIMIT', 0, 1)[1]
    if gone then
      if redis.call('HSETNX', p .. ':heirs', gone, instance) == 1 then
        redis.call('HINCRBY', state, 'restored', redis.call('HGET', p .. ':owners', gone) or 0)
        redis.call('HDEL', p .. ':owners', gone)
        redis.call('HDEL', p .. ':epochs', gone)
        for _, item in ipairs(redis.call('LRANGE', p .. ':handing:' .. gone, 0, -1)) do
          if string.sub(item, 1, 8) ~= 'handing\\n' then item = 'handing\\n' .. item end
          redis.call('RPUSH', p .. ':mail:' .. instance, item)
        end
        redis.call('DEL', p .. ':handing:' .. gone)
        redis.call('HDEL', p .. ':batches', gone)
        local claims = redis.call('HGETALL', p .. ':claims')
        for n = 1, #claims, 2 do
          if instanceOf(claims[n + 1]) == gone then
            local value = redis.call('HGET', p .. ':entries', claims[n])
            if value then finish(claims[n], value, 'unknown', '{"cut":"lost"}')
            else redis.call('HDEL', p .. ':claims', claims[n]) end
          end
        end
        local held = redis.call('HGETALL', p .. ':held')
        for n = 1, #held, 2 do
          if instanceOf(held[n + 1]) == gone then
            redis.call('HDEL', p .. ':held', held[n])
            settleKey(held[n], tonumber(string.sub(held[n + 1], #gone + 2)), 'unknown')
          end
        end
        inheritRecords(gone, instance)
        wake()
      end
      -- A few at each beat, because there may be very many.
      local heir, moved = heirOf(gone), 0
      while moved < 1000 and redis.call('LMOVE', p .. ':mail:' .. gone, p .. ':mail:' .. heir, 'LEFT', 'RIGHT') do
        moved = moved + 1
      end
      if moved < 1000 then redis.call('ZREM', p .. ':alive', gone) end
      redis.call('PUBLISH', p .. ':mail:' .. heir, '')
    elseif number('restored', 0) <= 0 and redis.call('HLEN', p .. ':heirs') > 1000 then
      redis.call('DEL', p .. ':heirs')
    end
    return { 'alive', unpack(redis.call('HMGET', state, 'rate', 'entries', 'bytes', 'places')) }
    `,
  ),
  /** instance: ends its membership if nothing of it is left */
  backlogLeave: functionOf(
    ALLOW_OOM,
    `
    local instance = ARGV[1]
    if redis.call('HEXISTS', p .. ':owners', instance) == 1 or redis.call('EXISTS', p .. ':mail:' .. instance) == 1 then return end
    for _, what in ipairs({ ':claims', ':records' }) do
      for _, by in ipairs(redis.call('HVALS', p .. what)) do
        if instanceOf(by) == instance then return end
      end
    end
    redis.call('ZREM', p .. ':alive', instance)
    redis.call('DEL', p .. ':handing:' .. instance)
    redis.call('HDEL', p .. ':epochs', instance)
    redis.call('HDEL', p .. ':batches', instance)
    `,
  ),
  /** node or '', owner or '', cut, sequence number to go on from, most → next sequence number (-1: the end), dropped */
  backlogDrop: functionOf(
    ALLOW_OOM,
    `
    local node, owner, cut, from, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
    local found = redis.call('ZRANGEBYSCORE', p .. ':waiting', '(' .. from, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
    local dropped, last = 0, '-1'
    for n = 1, #found, 2 do
      local id = found[n]
      local value = redis.call('HGET', p .. ':entries', id)
      if not value then
        redis.call('ZREM', p .. ':waiting', id)
        redis.call('ZREM', p .. ':anytime', id)
      else
        local head = headOf(value)
        if (node == '' or head.nodeId == node) and (owner == '' or heirOf(head.owner) == owner) then
          unqueue(id, value)
          finish(id, value, 'not-applied', '{"cut":"' .. cut .. '"}')
          dropped = dropped + 1
        end
      end
      if n == 2 * most - 1 then last = found[n + 1] end
    end
    return { last, dropped }
    `,
  ),
  /** id → 1 if it was waiting and has ended, else 0 */
  backlogWithdraw: functionOf(
    ALLOW_OOM,
    `
    local id = ARGV[1]
    local done = p .. ':done:' .. id
    if redis.call('GET', done) == 'withdrawn' then return 1 end
    local value = redis.call('HGET', p .. ':entries', id)
    if not value or not redis.call('ZSCORE', p .. ':waiting', id) then return 0 end
    unqueue(id, value)
    finish(id, value, 'not-applied', '{"cut":"dropped"}')
    redis.call('SET', done, 'withdrawn', 'PX', 600000)
    return 1
    `,
  ),
  /** hash, forMs, uses or '' → kind, first use or ms until a use is free */
  backlogTryKey: functionOf(
    ALLOW_OOM,
    `
    local _, refusal = freeUse({ hash = ARGV[1], forMs = ARGV[2], uses = tonumber(ARGV[3]) })
    return refusal or { 'accepted' }
    `,
  ),
  /** instance, hash, at, random id, forMs → kind, first use; or `absent` */
  backlogTakeKey: functionOf(
    NORMAL,
    `
    if not lives(ARGV[1]) then return { 'absent' } end
    local _, refusal = takeKey({ hash = ARGV[2], forMs = ARGV[5] }, tonumber(ARGV[3]), ARGV[4])
    if not refusal then redis.call('HSET', p .. ':held', ARGV[2], ARGV[1] .. ' ' .. ARGV[5]) end
    return refusal or { 'accepted' }
    `,
  ),
  /** hash, forMs, outcome */
  backlogSettleKey: functionOf(
    ALLOW_OOM,
    `
    if redis.call('HDEL', p .. ':held', ARGV[1]) == 1 then settleKey(ARGV[1], tonumber(ARGV[2]), ARGV[3]) end
    `,
  ),
  /** name, value … : an empty value removes the name */
  backlogSet: functionOf(
    ALLOW_OOM,
    `
    for n = 1, #ARGV, 2 do
      if ARGV[n + 1] == '' then redis.call('HDEL', state, ARGV[n])
      else redis.call('HSET', state, ARGV[n], ARGV[n + 1]) end
    end
    wake()
    `,
  ),
  /** A repeated attempt starts besides the entries: the next one starts an interval later. */
  backlogSpend: functionOf(
    ALLOW_OOM,
    `
    local rate = number('rate', 0)
    if rate == 0 then return end
    redis.call('HSET', state, 'last', string.format('%.3f', math.max(time(), number('last', 0)) + 1000 / rate))
    `,
  ),
  /** Fails while the memory of Redis is full. */
  backlogProbe: functionOf(NORMAL, "return 1"),
};
