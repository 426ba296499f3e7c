#!lua flags=allow-oom
-- Decides about an entry whose outcome is unknown.
-- ARGV: 3 id, 4 'rang', 'did-not-ring', or '': only looks, 5 token of the decision, the same if it is repeated
-- Result: 'settled', 'tooLate' if somebody has decided, or 'none'
local id, as, token = ARGV[3], ARGV[4], ARGV[5]
local why = refused() or (isRecovering() and 'recovering')
if why then return { why } end
local decided = call('HGET', p .. ':decided', id)
if decided then return { decided == as .. ' ' .. token and 'settled' or 'tooLate' } end
local at = tonumber(call('ZSCORE', p .. ':unknownAt', id) or 0)
if as == '' or at < wall() - UNKNOWN_MS then return { 'none' } end
decide(id, as, token)
return { 'settled' }
