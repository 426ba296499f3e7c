#!lua
-- Accepts an entry and takes its keys, all or nothing. If it replaces the one that waits with one of its keys, that one ends. An entry
-- that was accepted before, and is due now, gets further keys. One that is `again` takes the place of one whose outcome was unknown.
-- ARGV: 3 id ('': only tries whether entries could be written), 4 value, 5 epoch ms of the acceptance, 6 entries and 7 bytes that wait
-- outside the backlog
-- Result: kind, then the keys as they were taken and the id of the entry that was replaced, the first use of a key, or ms until a use
-- is free
local id, value = ARGV[3], ARGV[4]
local why = refused() or (id ~= '' and isRecovering() and 'recovering')
if why or id == '' then return { why or 'tried' } end
local head, kept, given, earlier = headOf(value), call('HGET', of('entries'), id), {}, nil
local before = kept and headOf(kept)
if before and (before.isDue or not head.isDue or not call('ZSCORE', of('waiting'), id)) then
  return { 'accepted', cjson.encode(before.keys or {}) }
end
if head.isDue and not before then return { 'forgotten' } end
if not before and call('EXISTS', of('refused', id)) == 1 then return { 'refused' } end
local unknown
if head.again and not before then
  unknown = call('HGET', p .. ':unknown', head.again)
  if not unknown then return { 'decided' } end
  local owner = headOf(unknown)
  for _, key in ipairs(owner.keys or {}) do given[key.hash] = isUnknownUse(key.hash, owner.at) and true or nil end
end
for _, other in ipairs(head.replaces and named(head.name) or {}) do
  local found = call('ZSCORE', of('waiting', other[1]), other[2]) and call('HGET', of('entries', other[1]), other[2])
  local keys, isIt = found and headOf(found).keys or {}, false
  for _, held in ipairs(keys) do
    for _, key in ipairs(head.keys) do isIt = isIt or (held.hash == key.hash and not key.uses) end
  end
  if isIt then
    earlier = { other[1], other[2], found }
    for _, held in ipairs(keys) do given[held.hash] = true end
  end
end
local function startsAtOnce()
  local rate, queued = number('rate'), total('waiting')
  for _, who in ipairs(members()) do queued = queued - dated(who) - call('SCARD', of('heldBack', who)) end
  return ARGV[6] == '' and queued == 0 and (priorityOf(head) == 0 or call('HGET', state, 'paused') ~= '1')
    and total('begun') < number('places') and (rate == 0 or number('last') + 1000 / rate <= time())
end
local entries, bytes = total('waiting') + (tonumber(ARGV[6]) or 0), totalBytes() + (tonumber(ARGV[7]) or 0) + head.size
if earlier then entries, bytes = entries - 1, bytes - headOf(earlier[3]).size end
if not before and not head.alarm and (entries >= number('entries') or bytes > number('bytes')) and not startsAtOnce() then return { 'full' } end
local free, refusal = freeUses(head.keys or {}, nil, given)
if refusal then return refusal end
if earlier then cut(earlier[1], earlier[2], earlier[3], 'replaced') end
if unknown then decide(head.again, 'call-again', id) end
takeUses(free, ARGV[5])
if before then
  for _, key in ipairs(before.keys or {}) do table.insert(free, key) end
  head, value, before.isDue = before, kept, true
end
if head.keys or #free > 0 then
  head.keys, head.replaces = free, nil
  value = cjson.encode(head) .. string.sub(value, string.find(value, '\n', 1, true), -1)
end
if before then call('HSET', of('entries'), id, value) else put(id, value, 'waiting') end
if earlier then wake() end
changed()
return { 'accepted', cjson.encode(free), earlier and earlier[2] or (unknown and head.again) }
