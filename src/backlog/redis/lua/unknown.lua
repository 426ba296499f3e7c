#!lua flags=allow-oom
-- ARGV: 3 when the last known decision was made
-- Result: 'listed', JSON: ids of entries whose outcome is unknown, the oldest first; doubted: those about which somebody may have decided,
-- of which Redis has lost it; decided [id, decision and token] since then, and at, when the last of them was
local why = refused() or (isRecovering() and 'recovering')
if why then return { why } end
local found, decided = call('ZRANGEBYSCORE', p .. ':decidedAt', ARGV[3], '+inf', 'WITHSCORES'), {}
for n = 1, #found, 2 do table.insert(decided, { found[n], call('HGET', p .. ':decided', found[n]) }) end
local oldest = wall() - UNKNOWN_MS
return { 'listed', cjson.encode({
  ids = call('ZRANGEBYSCORE', p .. ':unknownAt', oldest, '+inf'), doubted = call('SMEMBERS', p .. ':doubted'),
  decided = decided, at = found[#found] or ARGV[3],
}) }
