#!lua flags=allow-oom
-- Writes the outcomes of entries.
-- ARGV: 3… id and outcome; in place of an outcome 'waiting': it waits again, in its old turn; 'behind': so, but behind its like;
-- 'heldBack': it waits until somebody resumes; 'late' (with the name of a record): so does its next entry; 'released': neither does any more;
-- 'unknown' and JSON: the outcome, and the entry is kept until somebody decides; 'forgotten': its end was reported; 'refused': it must not be
-- accepted any more
-- Result: for each id 'written', 'full' if another one is not kept any more, or its keys as they were taken if it must not be 'refused'; if it is not there, 'inherited' by another
-- instance, 'refused', or 'lost' if it has ended nevertheless
local why, answer, isFree, isFull = refused(), {}, false, false
if why then return { why } end
for n = 3, #ARGV, 2 do
  local id, what = ARGV[n], ARGV[n + 1]
  local value = call('HGET', of('entries'), id)
  if what == 'late' then call('SADD', p .. ':late', id)
  elseif what == 'released' then
    call('SREM', p .. ':late', id)
    call('SREM', of('heldBack'), id)
  elseif what == 'refused' and not value then call('SET', of('refused', id), 'refused', 'NX', 'PX', 600000)
  elseif what == 'forgotten' then
    call('HDEL', of('entries'), id)
    call('HDEL', of('ended'), id)
    call('ZREM', of('cut'), id)
  elseif value and what == 'heldBack' then
    if call('ZSCORE', of('waiting'), id) then call('SADD', of('heldBack'), id) end
  elseif value and (what == 'waiting' or what == 'behind') then
    local turn, head = call('ZSCORE', of('begun'), id), headOf(value)
    if turn then
      call('ZREM', of('begun'), id)
      call('ZADD', of('waiting'), what == 'behind' and ticketOf(head, true) or turn, id)
      call('HINCRBY', p .. ':bytes', instance, head.size)
      isFree = true
    end
  elseif value and what ~= 'refused' then
    local unknown = string.match(what, '^unknown (.*)$')
    isFull = unknown and keepUnknown(id, '{"unknown":' .. unknown .. ',' .. string.sub(value, 2)) or isFull
    isFree = finish(instance, id, value, unknown and 'unknown' or what) or isFree
  elseif not value then for _, where in ipairs({ 'waiting', 'begun' }) do call('ZREM', of(where), id) end end
  if value or what == 'late' or what == 'released' or what == 'forgotten' then
    table.insert(answer, what == 'refused' and cjson.encode(headOf(value).keys or {}) or isFull and 'full' or 'written')
  else table.insert(answer, call('GET', of('refused', id)) or 'lost') end
end
if isFree then
  if call('ZCARD', p .. ':turns') > 0 then wake() end
  changed()
end
return answer
