#!lua flags=allow-oom
-- Replaces the trouble of the group, if it is still what the instance knows: what several instances see at once is put together.
-- ARGV: 3 what it knows, 4 JSON instead, each '' for no trouble
-- Result: the trouble of the group now
local why, kept = refused(), call('HGET', state, 'trouble') or ''
if why then return why end
if kept ~= ARGV[3] or kept == ARGV[4] then return kept end
if ARGV[4] == '' then call('HDEL', state, 'trouble') else call('HSET', state, 'trouble', ARGV[4]) end
call('HINCRBY', state, 'version', 1)
wake()
return ARGV[4]
