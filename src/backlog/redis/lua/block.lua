#!lua
-- Changes lines of which all instances know, such as numbers that must not be called: a hash with the line for each of its marks.
-- ARGV: 3 'new' (later than what it replaces), 'known' (where it is later) or 'remove', 4 epoch ms of a known line, 5 the line, 6… its marks
-- Result: epoch ms with which it was written
local verb, at, line, lines = ARGV[3], tonumber(ARGV[4]), ARGV[5], p .. ':blocked'
local function atOf(mark) return tonumber(string.match(call('HGET', lines, mark) or '', '^%d+') or 0) end
if verb == 'new' then
  at = math.floor(wall())
  for n = 6, #ARGV do at = math.max(at, atOf(ARGV[n]) + 1) end
end
local text = string.format('%.0f', at) .. ' ' .. line
for n = 6, #ARGV do
  if verb == 'remove' then
    if call('HGET', lines, ARGV[n]) == text then call('HDEL', lines, ARGV[n]) end
  elseif atOf(ARGV[n]) < at then call('HSET', lines, ARGV[n], text) end
end
if verb ~= 'remove' then call('PUBLISH', p .. ':blocked', text) end
return string.format('%.0f', at)
