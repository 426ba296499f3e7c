#!lua flags=allow-oom
-- Deduplication keys of requests that are no entries.
-- ARGV: 3 'free' (how many further ones can be taken), 'try', 'take', 'settle' or 'keep' (as used now, or given back for 0 ms), 4 hash, 5 ms for which it is kept, 6 uses or '', 7 epoch ms of the use, 8 id of the use, or the outcome
-- Result: kind, then the first use, ms until a use is free, or the number of free keys
local verb, hash, forMs, held = ARGV[3], ARGV[4], ARGV[5], p .. ':held'
local why = refused()
if why then return { why } end
local key = { hash = hash, forMs = forMs, uses = tonumber(ARGV[6]) }
local refusal, free
if verb == 'free' then
  local expired = call('ZCOUNT', p .. ':until', '-inf', time())
  return { 'accepted', tostring(MAX_KEYS - call('HLEN', p .. ':keys') + expired) }
elseif verb == 'try' then free, refusal = freeUse(key)
elseif verb == 'settle' then
  call('HDEL', held, hash)
  settleKey(hash, tonumber(forMs), ARGV[8], tonumber(ARGV[7]))
elseif verb == 'keep' then
  freeExpired()
  takeUses({ key }, ARGV[7])
  settleKey(hash, tonumber(forMs), tonumber(forMs) > 0 and 'applied' or 'not-applied')
elseif isRecovering() then return { 'recovering' }
else
  free, refusal = freeUses({ key }, ARGV[8])
  if free then
    takeUses(free, ARGV[7], ARGV[8])
    call('HSET', held, hash, instance .. ' ' .. forMs)
  end
end
return refusal or { 'accepted' }
