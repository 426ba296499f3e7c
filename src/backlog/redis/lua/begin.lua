#!lua flags=allow-oom
-- Gives leave to begin, in the order of the ids and of the tickets of the instances, as the group's rate and slots allow.
-- ARGV: 3 how early an entry may be begun in ms, 4… id and '1' if it waits for the service
-- Result: for each id ms until its start, why it ended elsewhere, or 'unknown'; 'wait <ms>' ends the list (-1: until something changes),
-- 'try <ms>' so for those that wait for the service
local answer, lead = {}, tonumber(ARGV[3])
local why, phase = refused() or (isRecovering() and 'recovering'), trouble()
if why then return { why } end
-- A note may end what is to begin.
if call('EXISTS', of('notes')) == 1 then return { 'wait -1' } end
local now, rate, slots, last, begun = time(), number('rate'), number('places'), number('last'), total('begun')
local isPaused = call('HGET', state, 'paused') == '1'
local interval, isAlone = rate > 0 and 1000 / rate or 0, call('ZCARD', p .. ':alive') == 1
-- How many others go first of those that have asked, and still do: they have asked before, or of rows of lists have an earlier turn.
local function ahead(priority, turn)
  if isAlone then return 0 end
  for _, who in ipairs(call('ZRANGE', p .. ':turns', 0, -1)) do
    if tonumber(call('HGET', p .. ':asked', who) or 0) < now then call('ZREM', p .. ':turns', who) end
  end
  local mine = call('ZSCORE', p .. ':turns', instance)
  if priority == 2 then
    return call('ZCOUNT', p .. ':turns', '-inf', '(' .. turn) - (mine and tonumber(mine) < tonumber(turn) and 1 or 0)
  end
  if mine and tonumber(mine) < endOf(priority) then return call('ZRANK', p .. ':turns', instance) end
  return call('ZCOUNT', p .. ':turns', '-inf', '(' .. string.format('%.0f', endOf(priority)))
end
-- While the service fails, nothing begins that waits for it, or one in the whole group.
local function mayTry()
  local who, id = ownerOf(call('HGET', state, 'tried') or ' ')
  return phase ~= 'held' and not call('ZSCORE', of('begun', who), id)
end
for n = 4, #ARGV, 2 do
  local id, start = ARGV[n], now
  local value = call('HGET', of('entries'), id)
  local turn = value and call('ZSCORE', of('waiting'), id)
  local isTry = phase and turn and ARGV[n + 1] == '1'
  if turn then
    local wait
    local head = headOf(value)
    local priority = priorityOf(head)
    -- In the order of `whyWaits`.
    if isPaused and priority > 0 then
      table.insert(answer, 'wait -1')
      break
    end
    if isTry and not mayTry() then
      table.insert(answer, 'try 500')
      break
    end
    local before = ahead(priority, turn)
    -- An instance knows the clock as exactly as replies are quick. If the clock was set back, what was due stays so.
    local left = (head.notBefore or 0) - wall()
    if left > 0 and left < 1000 then wait = left end
    if begun + before >= slots then wait = math.max(wait or 0, 500) end
    if rate > 0 then
      start = last + interval
      -- A start slightly too early does no harm; otherwise each delay would delay all later starts.
      if start < now - math.min(interval / 4, 5) then start = now end
      local mine = start + before * interval
      if mine > now + lead then wait = math.max(wait or 0, mine - now - lead) end
    end
    if wait then
      if not isAlone then
        if priority == 2 then call('ZADD', p .. ':turns', turn, instance)
        else call('ZADD', p .. ':turns', 'LT', ticket(nil, priority), instance) end
        call('HSET', p .. ':asked', instance, now + wait + 250)
      end
      table.insert(answer, 'wait ' .. wait)
      break
    end
    last, begun = start, begun + 1
    if priority == 2 then call('HSET', state, 'row', string.format('%.3f', math.max(number('row'), turn - endOf(1)))) end
    proceed()
    if isTry then call('HSET', state, 'tried', instance .. ' ' .. id) end
    call('ZREM', p .. ':turns', instance)
    call('ZREM', of('waiting'), id)
    call('ZADD', of('begun'), turn, id)
    call('SREM', of('heldBack'), id)
    call('HINCRBY', p .. ':bytes', instance, -head.size)
  end
  -- The instance asks again if the reply was lost.
  local hasBegun = turn or (value and call('ZSCORE', of('begun'), id))
  table.insert(answer, hasBegun and tostring(math.max(0, start - now)) or call('HGET', of('ended'), id) or 'unknown')
end
if rate > 0 then call('HSET', state, 'last', string.format('%.3f', last)) end
changed()
return answer
