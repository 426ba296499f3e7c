#!lua flags=allow-oom
-- Renews the lease of an instance, and notices that Redis has forgotten: the marker is '<base>:<n>', with another base if all is gone.
-- ARGV: 3 lease in ms (0: it leaves), 4 a base in case there is none, 5 '1' after a reconnection, 6 the last note that was read,
-- 7 the progress that it knows of, 8… other instances that lived when it renewed last; instances that never joined have the marker ''
-- Result: 'alive', 'gone' (another has restored what it left) or 'forgotten' (it has to write down again what it holds), then JSON
local lease, now, today, alive, vouched = tonumber(ARGV[3]), nil, wall(), p .. ':alive', p .. ':vouched'
if call('HEXISTS', p .. ':gone', instance) == 1 then return { 'gone' } end
local kept, info, known = call('HGET', state, 'marker'), redis.pcall('INFO', 'server', 'persistence'), tonumber(ARGV[7])
-- A Redis that does not show its id is taken for the same.
info = type(info) == 'string' and info or ''
local run = string.match(info, 'run_id:(%x+)')
local isOther = kept and run and run ~= (call('HGET', state, 'run') or '')
local base, count = string.match(kept or marker, '^(%x+):(%d+)$')
local lost = marker ~= '' and (not kept or string.match(marker, '%x+') ~= base)
-- It has forgotten what somebody knows, or may have: it was started since, from what it had stored at some time (in whole seconds).
local isOld = lost or known > number('progress') or (isOther and string.find(info, 'aof_enabled:0', 1, true)
  and today + 1000 * (1 - (string.match(info, 'uptime_in_seconds:(%d+)') or 0)) > number('beat', today))
if kept == marker and not isOther and not isOld and not call('ZSCORE', alive, instance) and call('HEXISTS', vouched, instance) == 0 then
  return { 'gone' }
end
-- The list of those that live may have been lost alone.
for _, who in ipairs(call('HLEN', vouched) > call('ZCARD', alive) and call('HKEYS', vouched) or {}) do
  call('ZADD', alive, 'NX', time() + lease, who)
end
if not kept then base, count = ARGV[4], 0 end
local isFirst = not kept or isOther or (isOld and not lost)
if isFirst or lost then
  if isFirst then kept = base .. ':' .. count + 1 end
  call('HSET', state, 'marker', kept, 'run', run or call('HGET', state, 'run') or '', 'step', lease / 3, 'progress', math.max(known, number('progress')))
  if isOld then
    call('HSET', state, 'old', kept)
    for _, id in ipairs(call('ZRANGE', p .. ':unknownAt', 0, -1)) do call('SADD', p .. ':doubted', id) end
  end
  -- All rows of lists get new turns.
  if isFirst then
    call('DEL', p .. ':lists')
    call('HDEL', state, 'row')
  end
  now = time()
  for _, who in ipairs(isFirst and call('ZRANGEBYSCORE', alive, '(' .. now, '+inf') or {}) do call('SADD', p .. ':awaited', who) end
  for n = 8, #ARGV do
    if not call('ZSCORE', alive, ARGV[n]) then call('SADD', p .. ':awaited', ARGV[n]) end
  end
  if marker ~= '' then call('SADD', p .. ':awaited', instance) end
  call('HSET', state, 'recoverUntil', now + lease)
  if lost and call('HGET', state, 'lost') ~= string.match(marker, '%x+') then
    call('HSET', state, 'paused', '1', 'lost', string.match(marker, '%x+'))
  end
end
if marker == '' then call('HSET', vouched, instance, kept) end
now = time()
local gap = math.abs(today - number('beat', today))
call('HDEL', p .. ':stopped', instance)
-- All instances were stopped for longer.
for _, who in ipairs(gap > 900000 and members() or {}) do
  if who ~= instance then call('HSET', p .. ':stopped', who, string.format('%.0f', gap)) end
end
-- The group's own clock has stood still: what has held call-outs until an instant is over.
if gap > 900000 and call('HEXISTS', state, 'trouble') == 1 then
  call('HSET', state, 'trouble', (string.gsub(call('HGET', state, 'trouble'), '"phase":"held"', '"phase":"trying"', 1)))
end
call('HSET', state, 'beat', string.format('%.0f', today), 'step', math.max(lease, 3) / 3)
call('ZADD', alive, now + lease, instance)
if lease == 0 and call('EXISTS', of('entries')) == 0 and not string.find(table.concat(call('HVALS', p .. ':records'), '\n'), instance, 1, true) then
  call('ZREM', alive, instance)
  call('HDEL', vouched, instance)
  call('SREM', p .. ':awaited', instance)
end
if lease == 0 then
  endHeld(instance, {})
  wake()
end
local notes, cuts, ids = {}, {}, call('ZRANGE', of('cut'), 0, 499)
for n, id in ipairs(ids) do cuts[n] = { id, call('HGET', of('ended'), id) } end
for n, note in ipairs(call('LRANGE', of('notes'), 0, 99)) do
  local id, name, value = string.match(note, '^(%S+)\n([^\n]*)\n(.*)$')
  if id == ARGV[6] then
    call('LTRIM', of('notes'), n, -1)
    notes = {}
  else table.insert(notes, { id, name, value }) end
end
local late = {}
for _, name in ipairs(call('SMEMBERS', p .. ':late')) do
  local owner = ownerOf(call('HGET', p .. ':records', name) or ' ')
  late[owner] = (late[owner] or 0) + 1
end
local others, expired = { waiting = 0, bytes = totalBytes() - (call('HGET', p .. ':bytes', instance) or 0), restored = 0, dated = 0, heldBack = 0 }, nil
local from, till = later(today)
for _, who in ipairs(members()) do
  if who ~= instance then
    others.waiting = others.waiting + call('ZCARD', of('waiting', who))
    others.restored = others.restored + call('SCARD', of('restored', who))
    others.dated = others.dated + dated(who)
    others.heldBack = others.heldBack + math.max(call('SCARD', of('heldBack', who)), late[who] or 0)
    local date = call('ZRANGE', of('waiting', who), from, till, 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    if date then others.nextDate = math.min(others.nextDate or date, math.floor(date)) end
    if tonumber(call('ZSCORE', alive, who)) <= now then expired = who end
  end
end
local shared = {}
for _, name in ipairs({ 'version', 'paused', 'proven', 'trouble', 'released', 'rate', 'entries', 'bytes', 'places' }) do
  shared[name] = call('HGET', state, name) or ''
end
return { (marker == '' or (kept == marker and (run or ARGV[5] == ''))) and 'alive' or 'forgotten', cjson.encode({
  marker = kept, lost = lost, now = wall(), clock = now, shared = shared, members = members(),
  progress = number('progress'), unknown = number('unknown'), others = others, cuts = cuts, notes = notes, isRecovering = isRecovering(), expired = expired,
}) }
