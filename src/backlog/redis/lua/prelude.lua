-- Shared by all functions. KEYS[1]: prefix of all key names, a hash tag, so that a cluster keeps the keys together;
-- there is no key of this name. KEYS[2]: <p>:state. While a cluster moves some of its keys to another node, it runs nothing on two keys
-- of which it finds one: no function sees a part of the group.
-- ARGV[1]: the calling instance; ARGV[2]: the marker of the group, which changes whenever Redis has forgotten something.
-- <p>:state               marker, run (id of the server), paused, released (another value whenever what is held back may go), proven (the
--                         service has worked once), trouble (JSON), tried (instance and id of the entry that begins in spite of it),
--                         version (of these and the limits), rate, entries, bytes, places, last (start), seq (the last ticket), dates,
--                         row (the highest turn of a row of a list that has begun), rows (how many turns were drawn),
--                         beat (when an instance renewed its lease last), clock, wall, step, lost, recoverUntil, progress (how often an
--                         entry has begun or ended, or a record changed), old (the marker since Redis had an older state than known)
-- <p>:alive               instances by the end of their lease; <p>:gone: instance → the one that restores what it left
-- <p>:vouched             instance → the marker with which it has joined, or written down again what it holds
-- <p>:entries:<instance>  id → head, line feed, content; <p>:bytes: instance → bytes of its entries that wait
-- <p>:waiting:<instance>, <p>:begun:<instance>   ids by ticket: the instant of the acceptance or the date, whichever is later; of
--                         a row of a list its turn, behind all instants
-- <p>:lists               lists by the turn of their last row
-- <p>:heldBack:<instance> those that wait until somebody resumes; <p>:restored:<instance>: those that it took over
-- <p>:names               name, line feed, instance and id of each entry with a name that has not ended, to be found by the name
-- <p>:ended:<instance>    id → outcome, or why it ended elsewhere, until its end was reported; <p>:cut:<instance>: ids of the latter
-- <p>:turns, <p>:asked    instances that wait for their turn to begin, by ticket; until when they keep it
-- <p>:keys, <p>:until     deduplication keys, and when they expire; <p>:held: key of a request without entry → instance, time kept
-- <p>:records             name → instance, value; <p>:late: names of those whose next entry is held back; <p>:notes:<instance>: notes for its records
-- <p>:stopped             instance → ms in which no instance renewed its lease; <p>:announced: no further `changed` while it is there
-- <p>:awaited             instances that have to write down again what they hold
-- <p>:refused:<id>        never to be accepted, because somebody was told so ('refused') or because it was, and was restored ('inherited')
-- <p>:fresh:<instance>    entries that have been written down again so far; <p>:cuts: id → why it ended elsewhere, for a minute
-- <p>:blocked             mark → epoch ms and line, of numbers that must not be called
-- <p>:unknown             id → entry that has ended with an unknown outcome (its head has `unknown`), until somebody decides; <p>:unknownAt:
--                         their ids by when that was; <p>:doubted: those about which somebody may have decided, which Redis has forgotten; state
--                         unknown: how often they have changed
-- <p>:decided             id → decision and its token; <p>:decidedAt: these ids by when that was, for 30 days
-- Channels: <p>:wake, an entry may begin; <p>:changed, counts or limits are others; <p>:blocked, a line of the hash.
local p, instance, marker = KEYS[1], ARGV[1], ARGV[2]
local state, call = p .. ':state', redis.call
local function of(what, who) return p .. ':' .. what .. ':' .. (who or instance) end
local function number(name, otherwise) return tonumber(call('HGET', state, name) or otherwise or 0) end
local function wall()
  local t = call('TIME')
  return t[1] * 1000 + t[2] / 1000
end
-- The group's own clock never goes back and takes at most a short step between two calls, because the machine's may jump and Redis
-- may be away: no lease runs out by that.
local clock
local function time()
  if clock then return clock end
  local now = wall()
  clock = number('clock', now) + math.max(0, math.min(now - number('wall', now), number('step', 5000)))
  call('HSET', state, 'wall', string.format('%.3f', now), 'clock', string.format('%.3f', clock))
  return clock
end
local function headOf(value) return cjson.decode(string.sub(value, 1, string.find(value, '\n', 1, true) - 1)) end
local function ownerOf(value) return string.match(value, '^(%S*) (.*)$') end
local function members() return call('ZRANGE', p .. ':alive', 0, -1) end
local function total(what)
  local sum = 0
  for _, who in ipairs(members()) do sum = sum + call('ZCARD', of(what, who)) end
  return sum
end
-- As `Call.priority`: 0 for urgent entries, 1 for ordinary ones, 2 for rows of lists. Lower ones go first.
local function priorityOf(head) return head.urgent and 0 or head.list and 2 or 1 end
-- The end of the tickets of a priority: those of the next one come after it.
local function endOf(priority) return priority * 4e12 end
-- Tickets are instants, so that an entry with a date takes its turn as if it had been accepted then.
local function ticket(date, priority)
  local now = math.max(number('seq') + 0.001, wall())
  call('HSET', state, 'seq', string.format('%.3f', now))
  if (date or 0) <= now then return string.format('%.3f', now + endOf(priority - 1)) end
  return string.format('%.5f', date + call('HINCRBY', state, 'dates', 1) % 4000 / 4000)
end
-- As `Loop.nextRow`: lists take turns, one row each. Without a list, of a row that goes behind all others.
local function rowTicket(list)
  local begun, lists = number('row'), p .. ':lists'
  call('ZREMRANGEBYSCORE', lists, '-inf', begun)
  local last = list and call('ZSCORE', lists, list)
  local turn = last and last + 1
  if not turn then
    local highest = not list and call('ZRANGE', lists, -1, -1, 'WITHSCORES')[2]
    turn = math.floor(math.max(begun, highest or 0)) + 1 + call('HINCRBY', state, 'rows', 1) % 1000 / 1000
  end
  if list then call('ZADD', lists, string.format('%.3f', turn), list) end
  return string.format('%.3f', endOf(1) + turn)
end
-- The ticket of an entry that comes, or goes behind its like.
local function ticketOf(head, isBehind)
  if not head.list then return ticket(not isBehind and head.notBefore, priorityOf(head)) end
  return rowTicket(not isBehind and head.list)
end
-- Bounds of the tickets of dates to come.
local function later(now) return '(' .. string.format('%.3f', now or wall()), '(' .. string.format('%.0f', endOf(1)) end
local function dated(who) return call('ZCOUNT', of('waiting', who), later()) end
local function nameOf(head, who, id) return head.name .. '\n' .. who .. ' ' .. id end
-- Instances and ids of the entries of a name.
local function named(name)
  local found = {}
  for _, member in ipairs(call('ZRANGEBYLEX', p .. ':names', '[' .. name .. '\n', '(' .. name .. '\v')) do
    local who, id = string.match(member, '\n(%S+) (.*)$')
    table.insert(found, { who, id })
  end
  return found
end
local function totalBytes()
  local sum = 0
  for _, bytes in ipairs(call('HVALS', p .. ':bytes')) do sum = sum + bytes end
  return sum
end
-- Why the call is refused: Redis has forgotten, or does not know the instance.
local function refused()
  if call('HGET', state, 'marker') ~= marker then return 'forgotten' end
  local lease = call('ZSCORE', p .. ':alive', instance)
  if not lease or tonumber(lease) <= time() or call('HEXISTS', p .. ':gone', instance) == 1 then return 'absent' end
end
-- Until all living instances have written down again what they hold, nothing begins and nothing is accepted.
local function isRecovering()
  local awaited = call('SMEMBERS', p .. ':awaited')
  for _, who in ipairs(time() < number('recoverUntil') and awaited or {}) do
    local lease = call('ZSCORE', p .. ':alive', who)
    if not lease or tonumber(lease) > time() then return true end
  end
  if #awaited > 0 then call('DEL', p .. ':awaited') end
  return false
end
local function proceed() call('HINCRBY', state, 'progress', 1) end
local function wake() call('PUBLISH', p .. ':wake', '') end
-- At most ten times a second: others read the counts a moment later.
local function changed()
  if call('ZCARD', p .. ':alive') > 1 and call('SET', p .. ':announced', '', 'NX', 'PX', 100) then call('PUBLISH', p .. ':changed', '') end
end
-- What call-outs meet at the service: 'counting', 'held' or 'trying', or nothing.
local function trouble() return string.match(call('HGET', state, 'trouble') or '', '"phase":"(%a+)"') end
local function freeKey(hash) call('HDEL', p .. ':keys', hash); call('ZREM', p .. ':until', hash) end
-- Ends the use of a key, if it is pending: else somebody alive knows better. `at`: only that use.
local function settleKey(hash, forMs, outcome, at)
  local use = call('HGET', p .. ':keys', hash)
  local kept = use and cjson.decode(use)
  if not kept or kept.outcome ~= 'pending' or (at and kept.at ~= at) then return end
  if outcome ~= 'applied' and outcome ~= 'unknown' then return freeKey(hash) end
  kept.outcome = outcome
  call('HSET', p .. ':keys', hash, cjson.encode(kept))
  call('ZADD', p .. ':until', time() + forMs, hash)
end
-- The requests without entry of an instance have ended, but those that it still has: nobody knows how.
local function endHeld(who, but)
  local held = call('HGETALL', p .. ':held')
  for n = 1, #held, 2 do
    local owner, forMs = ownerOf(held[n + 1])
    if owner == who and not but[held[n]] then
      call('HDEL', p .. ':held', held[n])
      settleKey(held[n], tonumber(forMs), 'unknown')
    end
  end
end
-- The hash of a use that is free, or the refusal. What the same request has taken before is free for it, and what is given to it.
local function freeUse(key, by, given)
  local first, again
  for n = 0, tonumber(key.uses or 1) - 1 do
    local hash = n == 0 and key.hash or key.hash .. '.' .. n
    local use, till = call('HGET', p .. ':keys', hash), tonumber(call('ZSCORE', p .. ':until', hash) or nil)
    if not use or (till and till <= time()) or (by and cjson.decode(use).by == by) or (given and given[hash]) then return hash end
    first = first or use
    local left = till and till - time() or tonumber(key.forMs)
    again = math.min(again or left, left)
  end
  if not key.uses then return nil, { 'duplicate', first } end
  return nil, { 'usedUp', string.format('%.0f', math.ceil(again)) }
end
-- A few at a time: all at once would block Redis.
local function freeExpired()
  for _, old in ipairs(call('ZRANGEBYSCORE', p .. ':until', '-inf', time(), 'LIMIT', 0, 10)) do freeKey(old) end
end
-- A free use of each key, or the refusal.
local function freeUses(keys, by, given)
  local free = {}
  -- Before the count: no key would ever be accepted, nor an expired one forgotten, once there are too many.
  if #keys > 0 then freeExpired() end
  for n, key in ipairs(keys) do
    local hash, refusal = freeUse(key, by, given)
    if refusal then return nil, refusal end
    if call('HEXISTS', p .. ':keys', hash) == 0 and call('HLEN', p .. ':keys') >= MAX_KEYS then return nil, { 'keysFull' } end
    free[n] = { hash = hash, forMs = key.forMs }
  end
  return free
end
local function takeUses(free, at, by)
  for _, key in ipairs(free) do
    call('HSET', p .. ':keys', key.hash, cjson.encode({ at = tonumber(at), outcome = 'pending', by = by }))
    call('ZREM', p .. ':until', key.hash)
  end
end
-- Notes keep their order when their records come from a gone instance.
local function moveNotes(gone)
  while call('LMOVE', of('notes', gone), of('notes'), 'LEFT', 'RIGHT') do end
end
local function isDecided(id) return call('HEXISTS', p .. ':decided', id) == 1 end
local function forgetUnknown(id)
  call('HDEL', p .. ':unknown', id)
  call('ZREM', p .. ':unknownAt', id)
  call('SREM', p .. ':doubted', id)
  call('HINCRBY', state, 'unknown', 1)
end
-- Keeps an entry that has ended with an unknown outcome, unless somebody has decided. Returns whether the oldest has gone for it.
local function keepUnknown(id, value, isDoubted)
  if isDecided(id) then return end
  if not isDoubted then call('SREM', p .. ':doubted', id) end
  call('HSET', p .. ':unknown', id, value)
  call('ZADD', p .. ':unknownAt', headOf(value).unknown.at, id)
  call('HINCRBY', state, 'unknown', 1)
  for _, old in ipairs(call('ZRANGEBYSCORE', p .. ':unknownAt', '-inf', wall() - UNKNOWN_MS)) do forgetUnknown(old) end
  local bytes, isFull = 0, false
  for n, one in ipairs(call('ZREVRANGE', p .. ':unknownAt', 0, -1)) do
    bytes = bytes + call('HSTRLEN', p .. ':unknown', one)
    if n > MAX_UNKNOWN or bytes > MAX_UNKNOWN_BYTES then
      forgetUnknown(one)
      isFull = true
    end
  end
  return isFull
end
-- Whether a use of a key belongs to this entry, whose outcome was unknown.
local function isUnknownUse(hash, at)
  local kept = call('HGET', p .. ':keys', hash)
  kept = kept and cjson.decode(kept)
  return kept and kept.outcome == 'unknown' and kept.at == at and kept
end
-- Keeps a use of a key that belongs to an entry whose outcome was unknown, or gives it back.
local function decideKey(hash, at, as)
  local use = isUnknownUse(hash, at)
  if use and as == 'rang' then
    use.outcome = 'applied'
    call('HSET', p .. ':keys', hash, cjson.encode(use))
  elseif use then freeKey(hash) end
end
-- Decides about an entry: 'rang', or anything else, for which its keys are given back.
local function decide(id, as, token)
  local value = call('HGET', p .. ':unknown', id)
  call('HSET', p .. ':decided', id, as .. ' ' .. token)
  call('ZADD', p .. ':decidedAt', wall(), id)
  for _, old in ipairs(call('ZRANGEBYSCORE', p .. ':decidedAt', '-inf', wall() - UNKNOWN_MS)) do call('HDEL', p .. ':decided', old) end
  call('ZREMRANGEBYSCORE', p .. ':decidedAt', '-inf', wall() - UNKNOWN_MS)
  local head = value and headOf(value) or {}
  for n, key in ipairs(head.keys or {}) do
    -- The first one of a row of a list is its place.
    if n > 1 or not head.list then decideKey(key.hash, head.at, as) end
  end
  forgetUnknown(id)
  proceed()
  changed()
end
-- Takes an entry out of where it waits or is performed. Returns whether it was there.
local function takeOut(who, id, value)
  local head = headOf(value)
  if head.name then call('ZREM', p .. ':names', nameOf(head, who, id)) end
  call('SREM', of('heldBack', who), id)
  proceed()
  if call('ZREM', of('waiting', who), id) == 0 then return call('ZREM', of('begun', who), id) == 1, head end
  call('HINCRBY', p .. ':bytes', who, -head.size)
  return true, head
end
-- Ends an entry that waits or has begun. Returns whether it was there.
local function finish(who, id, value, outcome, reason)
  local wasThere, head = takeOut(who, id, value)
  -- If neither where it waited nor its end is there, the former was lost.
  if not wasThere and call('HEXISTS', of('ended', who), id) == 1 then return false end
  for _, key in ipairs(head.keys or {}) do settleKey(key.hash, key.forMs, outcome) end
  call('HSET', of('ended', who), id, reason or outcome)
  call('SREM', of('restored', who), id)
  return true
end
-- Ends an entry that waits, for an instance that does not have it: its own reports that.
local function cut(who, id, value, reason)
  local turn = call('ZSCORE', of('waiting', who), id)
  if turn and value and finish(who, id, value, 'not-applied', reason) then call('ZADD', of('cut', who), turn, id) end
  return turn
end
-- Removes everything about an entry.
local function remove(who, id, value)
  takeOut(who, id, value)
  call('ZREM', of('cut', who), id)
  call('HDEL', of('ended', who), id)
  call('HDEL', of('entries', who), id)
end
-- Writes down an entry of this instance: it waits, is held back, has begun, or has ended so.
local function put(id, value, what)
  local head = headOf(value)
  local isOpen = what == 'waiting' or what == 'heldBack'
  local turn = (isOpen or not head.list) and ticketOf(head) or string.format('%.3f', endOf(1) + number('row'))
  call('HSET', of('entries'), id, value)
  if head.name and (isOpen or what == 'begun') then call('ZADD', p .. ':names', 0, nameOf(head, instance, id)) end
  if what == 'heldBack' then call('SADD', of('heldBack'), id) end
  if what == 'begun' then call('ZADD', of('begun'), turn, id)
  elseif isOpen then
    call('ZADD', of('waiting'), turn, id)
    call('HINCRBY', p .. ':bytes', instance, head.size)
  else
    call('HSET', of('ended'), id, what)
    if not string.find('applied rejected not-applied unknown', what, 1, true) then call('ZADD', of('cut'), turn, id) end
  end
end
