#!lua flags=allow-oom
-- ARGV: 3… name and value, of what the whole group shares; an empty value removes it. 'known': the trouble that the
-- instance knows; if it is another one by now, that is the result, and nothing is set. 'start', alone: a repeated attempt leaves now
local why = refused()
if why then return why end
if ARGV[3] == 'start' then
  local rate = number('rate')
  if rate > 0 then call('HSET', state, 'last', string.format('%.3f', math.max(time(), number('last') + 1000 / rate))) end
  return 'set'
end
for n = 3, #ARGV, 2 do
  if ARGV[n] == 'released' then
    call('DEL', p .. ':late')
    for _, who in ipairs(members()) do call('DEL', of('heldBack', who)) end
  end
  local trouble = call('HGET', state, 'trouble') or ''
  if ARGV[n] == 'known' then
    if trouble ~= ARGV[n + 1] then return trouble end
  elseif ARGV[n + 1] == '' then call('HDEL', state, ARGV[n])
  else call('HSET', state, ARGV[n], ARGV[n + 1]) end
end
call('HINCRBY', state, 'version', 1)
wake()
return 'set'
