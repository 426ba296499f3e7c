#!lua flags=allow-oom
-- Writes down again what an instance holds. What Redis still has of it besides that is removed: it has ended.
-- ARGV: 3 '1' with the last part, 4 JSON: entries [id, 1 if begun, value], restored [id], keys [hash, at, outcome, ms left],
-- freed [hash, at], records [name, value], cuts [id, why] that it has ended elsewhere, gone [instance] that it has restored, settings
-- Result: 'forgotten' if Redis has forgotten again, or 'absent'
local part, fresh = cjson.decode(ARGV[4]), of('fresh')
local why = refused()
if why then return why end
for _, cut in ipairs(part.cuts) do
  call('HSET', p .. ':cuts', cut[1], cut[2])
  for _, who in ipairs(members()) do
    local value = call('HGET', of('entries', who), cut[1])
    if value and finish(who, cut[1], value, 'not-applied', cut[2]) then call('ZADD', of('cut', who), 0, cut[1]) end
  end
end
call('EXPIRE', p .. ':cuts', 60)
for _, entry in ipairs(part.entries) do
  local id, value = entry[1], entry[3]
  call('SADD', fresh, id)
  if call('ZREM', of('waiting'), id) == 1 then call('HINCRBY', p .. ':bytes', instance, -headOf(value).size) end
  call('ZREM', of('begun'), id)
  for _, key in ipairs(headOf(value).keys or {}) do
    call('HSETNX', p .. ':keys', key.hash, cjson.encode({ at = wall(), outcome = 'pending' }))
    call('ZREM', p .. ':until', key.hash)
  end
  put(id, value, entry[2] == 1 and 'begun' or call('HGET', p .. ':cuts', id) or 'waiting')
end
for _, id in ipairs(part.restored) do call('SADD', of('restored'), id) end
for _, key in ipairs(part.keys) do
  call('HSET', p .. ':keys', key[1], cjson.encode({ at = key[2], outcome = key[3] }))
  if key[3] == 'pending' then call('HSET', p .. ':held', key[1], instance .. ' ' .. key[4])
  else call('ZADD', p .. ':until', time() + key[4], key[1]) end
end
for _, key in ipairs(part.freed) do
  local use = call('HGET', p .. ':keys', key[1])
  if use and cjson.decode(use).at == key[2] then settleKey(key[1], 0, 'not-applied') end
end
for _, gone in ipairs(part.gone) do
  call('HSET', p .. ':gone', gone, instance)
  call('ZADD', p .. ':alive', 'XX', 0, gone)
  call('SREM', p .. ':awaited', gone)
end
if part.settings.version > number('version') then
  for name, value in pairs(part.settings) do
    if value == '' then call('HDEL', state, name) else call('HSET', state, name, value) end
  end
  if call('HGET', state, 'lost') then call('HSET', state, 'paused', '1') end
end
if ARGV[3] ~= '1' then return 'written' end
for _, id in ipairs(call('HKEYS', of('entries'))) do
  if call('SISMEMBER', fresh, id) == 0 and call('ZSCORE', of('cut'), id) == false then
    local value = call('HGET', of('entries'), id)
    if call('ZREM', of('waiting'), id) == 1 then call('HINCRBY', p .. ':bytes', instance, -headOf(value).size) end
    call('ZREM', of('begun'), id)
    call('HDEL', of('ended'), id)
    call('HDEL', of('entries'), id)
  end
end
local records = call('HGETALL', p .. ':records')
for n = 1, #records, 2 do
  if ownerOf(records[n + 1]) == instance then call('HDEL', p .. ':records', records[n]) end
end
for _, record in ipairs(part.records) do call('HSETNX', p .. ':records', record[1], instance .. ' ' .. record[2]) end
call('DEL', fresh)
call('SREM', p .. ':awaited', instance)
if not isRecovering() then wake() end
return 'written'
