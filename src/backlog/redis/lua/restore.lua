#!lua flags=allow-oom
-- Takes over what a gone instance left, in steps: the next step moves what the last one returned, so that a lost reply loses nothing.
-- Rows of lists that wait are removed, because their own instance adds them again when it is back.
-- ARGV: 3 the gone instance, 4 how many, 5… 'entry', 'ended', 'record' or 'note', and which this instance has got, or has ended
-- Result: state, id and value of each that is to be moved, and 'stopped' with the ms for which no instance was there; nothing at the end,
-- or if another one restores it
local gone, answer = ARGV[3], {}
local why, restorer = refused() or (isRecovering() and 'recovering'), call('HGET', p .. ':gone', gone)
local lease = call('ZSCORE', p .. ':alive', gone)
if why then return { why } end
if not lease or tonumber(lease) > time() then return {} end
if restorer and restorer ~= instance and tonumber(call('ZSCORE', p .. ':alive', restorer) or 0) > time() then return {} end
call('HSET', p .. ':gone', gone, instance)
-- What is older than somebody knows, and was not written again since, may have been called: a person decides.
local function count(of) return tonumber(string.match(of or '', '%d+$')) or 0 end
local isDoubted = count(call('HGET', p .. ':vouched', gone)) < count(call('HGET', state, 'old'))
for n = 5, #ARGV, 2 do
  local what, id = ARGV[n], ARGV[n + 1]
  if what == 'note' and call('LREM', of('notes', gone), 1, id) == 0 then call('LREM', of('notes'), 1, id) end
  local value = call('HGET', what == 'record' and p .. ':records' or of('entries', gone), id)
  if value and what == 'record' then
    if ownerOf(value) == gone then call('HSET', p .. ':records', id, (string.gsub(value, '^%S*', instance, 1))) end
  elseif value then
    if what == 'ended' then finish(gone, id, value, 'unknown') end
    local isHeldBack = isDoubted or call('SISMEMBER', of('heldBack', gone), id) == 1
    local was = call('ZSCORE', of('begun', gone), id) and 'begun' or call('HGET', of('ended', gone), id)
    remove(gone, id, value)
    call('SET', of('refused', id), 'inherited', 'PX', 600000)
    if what == 'entry' then put(id, value, was or isHeldBack and 'heldBack' or 'waiting') end
  end
end
for _, id in ipairs(call('ZRANGE', of('waiting', gone), string.format('%.0f', endOf(1)), '+inf', 'BYSCORE')) do
  local value = call('HGET', of('entries', gone), id)
  for _, key in ipairs(value and headOf(value).keys or {}) do settleKey(key.hash, key.forMs, isDoubted and 'unknown' or 'not-applied') end
  if value then remove(gone, id, value) else call('ZREM', of('waiting', gone), id) end
  call('SET', of('refused', id), 'inherited', 'PX', 600000)
end
local function show(what, id, value)
  for _, part in ipairs({ what, id, value }) do table.insert(answer, part) end
end
for _, what in ipairs({ 'begun', 'waiting' }) do
  for _, id in ipairs(call('ZRANGE', of(what, gone), 0, ARGV[4] - 1)) do
    local value = call('HGET', of('entries', gone), id)
    local isHeldBack = what == 'waiting' and (isDoubted or call('SISMEMBER', of('heldBack', gone), id) == 1)
    if value then show(isHeldBack and 'heldBack' or what, id, value) else call('ZREM', of(what, gone), id) end
  end
end
for _, id in ipairs(#answer == 0 and call('HKEYS', of('ended', gone)) or {}) do
  show(call('HGET', of('ended', gone), id), id, call('HGET', of('entries', gone), id))
end
local isLast = #answer == 0
local records = isLast and call('HGETALL', p .. ':records') or {}
for n = 1, #records, 2 do
  local owner, value = ownerOf(records[n + 1])
  if owner == gone and isDoubted then call('SADD', p .. ':late', records[n]) end
  if owner == gone then show(call('SISMEMBER', p .. ':late', records[n]) == 1 and 'lateRecord' or 'record', records[n], value) end
end
local hasRecords = #answer > 0
for _, note in ipairs(isLast and call('LRANGE', of('notes', gone), 0, -1) or {}) do show('note', note, '') end
if isLast and not hasRecords then moveNotes(gone) end
local stopped = call('HGET', p .. ':stopped', gone)
if stopped and #answer > 0 then show('stopped', stopped, '') end
if #answer > 0 then return answer end
endHeld(gone, {})
call('ZREM', p .. ':alive', gone)
for _, set in ipairs({ 'turns', 'awaited' }) do call(set == 'turns' and 'ZREM' or 'SREM', p .. ':' .. set, gone) end
for _, hash in ipairs({ 'bytes', 'asked', 'stopped', 'vouched' }) do call('HDEL', p .. ':' .. hash, gone) end
for _, what in ipairs({ 'restored', 'ended', 'entries', 'heldBack' }) do call('DEL', of(what, gone)) end
wake()
return {}
