#!lua
-- Accepts an entry and takes its keys, all or nothing.
-- ARGV: 3 id ('': only tries whether entries could be written), 4 value, 5 epoch ms of the acceptance, 6 entries and 7 bytes that wait
-- outside the backlog
-- Result: kind, then the keys as they were taken, the first use of a key, or ms until a use is free
local id, value = ARGV[3], ARGV[4]
local why = refused() or (id ~= '' and isRecovering() and 'recovering')
if why or id == '' then return { why or 'tried' } end
local kept = call('HGET', of('entries'), id)
if kept then return { 'accepted', cjson.encode(headOf(kept).keys or {}) } end
if call('EXISTS', of('refused', id)) == 1 then return { 'refused' } end
local head, rate, waiting = headOf(value), number('rate'), total('waiting')
local startsAtOnce = ARGV[6] == '' and waiting == 0 and call('HGET', state, 'paused') ~= '1' and not isHeld()
  and total('begun') < number('places') and (rate == 0 or number('last') + 1000 / rate <= time())
local isFull = waiting + (tonumber(ARGV[6]) or 0) >= number('entries') or totalBytes() + (tonumber(ARGV[7]) or 0) + head.size > number('bytes')
if isFull and not startsAtOnce then return { 'full' } end
local taken = {}
for n, key in ipairs(head.keys or {}) do
  local hash, refusal = takeKey(key, ARGV[5])
  if refusal then
    for _, use in ipairs(taken) do call('HDEL', p .. ':keys', use.hash) end
    return refusal
  end
  taken[n] = { hash = hash, forMs = key.forMs }
end
if head.keys then
  head.keys = taken
  value = cjson.encode(head) .. string.sub(value, string.find(value, '\n', 1, true), -1)
end
call('HSET', of('entries'), id, value)
call('ZADD', of('waiting'), call('HINCRBY', state, 'seq', 1), id)
call('HINCRBY', p .. ':bytes', instance, head.size)
changed()
return { 'accepted', cjson.encode(taken) }
