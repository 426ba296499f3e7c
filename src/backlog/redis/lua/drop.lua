#!lua flags=allow-oom
-- Ends entries that wait at another instance, which reports them.
-- ARGV: 3 the other instance, 4 id of a node or '', 5 why they end, 6 ticket to go on behind, 7 how many to look at
-- Result: ticket of the last that was looked at ('' at the end), ids that were ended
local who, node, cut, last = ARGV[3], ARGV[4], ARGV[5], ''
local why = refused()
if why then return { why } end
local found = call('ZRANGEBYSCORE', of('waiting', who), '(' .. ARGV[6], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[7])
local answer = {}
for n = 1, #found, 2 do
  local id, ticket = found[n], found[n + 1]
  local value = call('HGET', of('entries', who), id)
  if value and (node == '' or headOf(value).nodeId == node) then
    finish(who, id, value, 'not-applied', cut)
    call('ZADD', of('cut', who), ticket, id)
    table.insert(answer, id)
  end
  last = ticket
end
if #answer > 0 then wake() end
return { #found == 0 and '' or last, unpack(answer) }
