#!lua flags=allow-oom
-- Ends entries that wait at other instances, which report them: those of a name, or all but those of alarms.
-- ARGV: 3 why they end, 4 a name, or '': 5 the other instance, 6 '1': only what is held back, 7 ticket to go on behind, 8 how many to
-- look at
-- Result: ticket of the last that was looked at ('' at the end), or how many of the name had begun; ids that were ended
local why, answer, last, tooLate = refused(), {}, '', 0
if why then return { why } end
for _, found in ipairs(ARGV[4] ~= '' and named(ARGV[4]) or {}) do
  local who, id = unpack(found)
  if who ~= instance then
    if cut(who, id, call('HGET', of('entries', who), id), ARGV[3]) then table.insert(answer, id) else tooLate = tooLate + 1 end
  end
end
local who = ARGV[5]
local found = ARGV[4] == '' and call('ZRANGEBYSCORE', of('waiting', who), '(' .. ARGV[7], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[8]) or {}
for n = 1, #found, 2 do
  local id = found[n]
  local value = call('HGET', of('entries', who), id)
  local isMeant = not (value and headOf(value).alarm) and (ARGV[6] == '' or call('SISMEMBER', of('heldBack', who), id) == 1)
  if isMeant and cut(who, id, value, ARGV[3]) then table.insert(answer, id) end
  last = found[n + 1]
end
if #answer > 0 then wake() end
return { ARGV[4] == '' and last or tooLate, unpack(answer) }
