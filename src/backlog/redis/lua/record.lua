#!lua
-- ARGV: 3 'new', 'mine', 'remove', 'note' or 'again' (a note that ends that its next entry is held back), 4 name, 5 value or note,
-- 6 id of the note, or the instance that had the record ('mine')
-- Result: 1 if it was written, or there is such a record, for 'again' one that was held back; 0 if not; 'recovering' if that is not
-- known yet; 'noted' if it was written, and there are notes that the instance has not heard
local verb, name, value, records = ARGV[3], ARGV[4], ARGV[5], p .. ':records'
local why, kept = refused(), call('HGET', records, name)
if why then return why end
local owner = kept and ownerOf(kept)
if not owner and verb ~= 'mine' and verb ~= 'remove' and isRecovering() then return 'recovering' end
if owner and (verb == 'mine' or verb == 'remove') and call('HGET', p .. ':gone', owner) == instance then
  -- This instance has restored it, and the step that moves it was lost.
  moveNotes(owner)
  owner = instance
end
if verb == 'note' or verb == 'again' then
  if not owner then return 0 end
  call('RPUSH', of('notes', owner), ARGV[6] .. '\n' .. name .. '\n' .. value)
  wake()
  if verb == 'again' then return call('SREM', p .. ':late', name) end
elseif verb == 'remove' then
  if owner == instance then
    call('HDEL', records, name)
    call('SREM', p .. ':late', name)
  end
-- Redis may have lost a record of an instance, but one that was inherited has ended.
elseif owner ~= instance and (owner or (verb == 'mine' and ARGV[6] ~= instance)) then return 0
else call('HSET', records, name, instance .. ' ' .. value) end
proceed()
return verb == 'mine' and call('EXISTS', of('notes')) == 1 and 'noted' or 1
