#!lua flags=allow-oom
-- Writes down again what an instance holds. Everything else that Redis has of the instance is removed, because it has ended.
-- ARGV: 3 '1' with the last part, 4 JSON: decided [id, decision and token], unknown [id, value, whether it is doubted], entries [id,
-- state, value, when its keys were taken], asked [id] of which it does not know
-- whether they were accepted, restored [id], keys [hash, at, outcome, ms left], uses [id, hash, at] of those that are unknown, freed [hash, at], records [name, value], cuts [id, why]
-- that it has ended elsewhere, gone [instance] that it has restored, settings
-- Result: 'forgotten' if Redis has forgotten again, or 'absent'
local part, fresh = cjson.decode(ARGV[4]), of('fresh')
-- What a part lacks is empty.
setmetatable(part, { __index = function() return {} end })
local why, all, mine = refused(), members(), {}
if why then return why end
for _, ended in ipairs(part.cuts) do
  call('HSET', p .. ':cuts', ended[1], ended[2])
  for _, who in ipairs(all) do
    local value = call('HGET', of('entries', who), ended[1])
    if value then cut(who, ended[1], value, ended[2]) end
  end
end
call('EXPIRE', p .. ':cuts', 60)
for _, decided in ipairs(part.decided) do
  if not isDecided(decided[1]) then decide(decided[1], string.match(decided[2], '^(%S+) (.*)$')) end
end
for _, unknown in ipairs(part.unknown) do keepUnknown(unpack(unknown)) end
for _, entry in ipairs(part.entries) do
  local id, what, value, at = unpack(entry)
  -- It may have been ended elsewhere without this instance having heard of it.
  local ended = what ~= 'begun' and (call('HGET', p .. ':cuts', id) or call('ZSCORE', of('cut'), id) and call('HGET', of('ended'), id))
  call('SADD', fresh, id)
  for _, who in ipairs(all) do
    local other = who ~= instance and call('HGET', of('entries', who), id)
    if other then remove(who, id, other) end
  end
  takeOut(instance, id, value)
  if not ended then takeUses(headOf(value).keys or {}, at) end
  put(id, value, ended or what)
end
for _, id in ipairs(part.asked) do call('SADD', fresh, id) end
for _, id in ipairs(part.restored) do call('SADD', of('restored'), id) end
for _, key in ipairs(part.keys) do
  local use = call('HGET', p .. ':keys', key[1])
  if not use or cjson.decode(use).at <= key[2] then
    call('HSET', p .. ':keys', key[1], cjson.encode({ at = key[2], outcome = key[3] }))
    if key[3] ~= 'pending' then call('ZADD', p .. ':until', time() + key[4], key[1]) end
  end
  if key[3] == 'pending' then
    mine[key[1]] = true
    call('HSET', p .. ':held', key[1], instance .. ' ' .. key[4])
  end
end
for _, key in ipairs(part.freed) do
  settleKey(key[1], 0, 'not-applied', key[2])
  -- Somebody has decided so.
  decideKey(key[1], key[2], 'did-not-ring')
end
-- Another instance may have decided what this one has not heard of.
for _, use in ipairs(part.uses) do
  local how = call('HGET', p .. ':decided', use[1])
  if how then decideKey(use[2], use[3], ownerOf(how)) end
end
for _, gone in ipairs(part.gone) do
  call('HSET', p .. ':gone', gone, instance)
  call('ZADD', p .. ':alive', 'XX', 0, gone)
  call('SREM', p .. ':awaited', gone)
end
if (tonumber(part.settings.version) or 0) > number('version') then
  for name, value in pairs(part.settings) do
    if value == '' then call('HDEL', state, name) else call('HSET', state, name, value) end
  end
  if call('HGET', state, 'lost') then call('HSET', state, 'paused', '1') end
end
if ARGV[3] ~= '1' then return 'written' end
for _, id in ipairs(call('HKEYS', of('entries'))) do
  if call('SISMEMBER', fresh, id) == 0 and call('ZSCORE', of('cut'), id) == false then
    local value = call('HGET', of('entries'), id)
    local head = headOf(value)
    -- How it ended longer ago is not known any more.
    for _, key in ipairs(head.keys or {}) do settleKey(key.hash, key.forMs, 'unknown', head.at) end
    remove(instance, id, value)
  end
end
endHeld(instance, mine)
local records = call('HGETALL', p .. ':records')
for n = 1, #records, 2 do
  if ownerOf(records[n + 1]) == instance then call('HDEL', p .. ':records', records[n]) end
end
for _, record in ipairs(part.records) do
  local owner = ownerOf(call('HGET', p .. ':records', record[1]) or ' ')
  if call('HGET', p .. ':vouched', owner) ~= marker then call('HSET', p .. ':records', record[1], instance .. ' ' .. record[2]) end
end
call('DEL', fresh)
call('HSET', p .. ':vouched', instance, marker)
call('SREM', p .. ':awaited', instance)
if not isRecovering() then wake() end
return 'written'
