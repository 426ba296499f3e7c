import { ALLOW_OOM, functionOf, NORMAL } from "./prelude";

/**
 * Gives the records of an instance that is gone to its heir, with what was not told about them. An item of the list of notes
 * has lines: id, kind, name as JSON, note.
 */
export const INHERIT_RECORDS = `
    local function inheritRecords(gone, heir)
      local records = redis.call('HGETALL', p .. ':records')
      local notes, any = p .. ':notes:' .. heir, false
      for n = 1, #records, 2 do
        if instanceOf(records[n + 1]) == gone then
          redis.call('HSET', p .. ':records', records[n], heir .. string.sub(records[n + 1], #gone + 1))
          redis.call('RPUSH', notes, gone .. ' ' .. n .. '\\nadopted\\n' .. records[n] .. '\\n')
          any = true
        end
      end
      for _, item in ipairs(redis.call('LRANGE', p .. ':notes:' .. gone, 0, -1)) do
        if not string.find(item, '^[^\\n]*\\nadopted\\n') then redis.call('RPUSH', notes, item) end
      end
      redis.call('DEL', p .. ':notes:' .. gone)
      if any then redis.call('PUBLISH', notes, '') end
    end
`;

/** The functions for work that goes on over many entries. */
export const RECORDS: Readonly<Record<string, string>> = {
  /** instance, name, value → `created`, or `taken` by another instance; or `absent` */
  backlogCreate: functionOf(
    NORMAL,
    `
    local instance, name = ARGV[1], ARGV[2]
    if not lives(instance) then return 'absent' end
    local record = redis.call('HGET', p .. ':records', name)
    if record then return instanceOf(record) == instance and 'created' or 'taken' end
    redis.call('HSET', p .. ':records', name, instance .. ' ' .. ARGV[3])
    return 'created'
    `,
  ),
  /** instance, name, value → `updated`, also if Redis has forgotten the record; or `taken`, or `absent` */
  backlogUpdate: functionOf(
    NORMAL,
    `
    local instance, name = ARGV[1], ARGV[2]
    if not lives(instance) then return 'absent' end
    local record = redis.call('HGET', p .. ':records', name)
    if record and instanceOf(record) ~= instance then return 'taken' end
    redis.call('HSET', p .. ':records', name, instance .. ' ' .. ARGV[3])
    return 'updated'
    `,
  ),
  /** instance, name */
  backlogRemove: functionOf(
    ALLOW_OOM,
    `
    local record = redis.call('HGET', p .. ':records', ARGV[2])
    if record and instanceOf(record) == ARGV[1] then redis.call('HDEL', p .. ':records', ARGV[2]) end
    `,
  ),
  /** name, random id, note → 1 if there is a record, else 0 */
  backlogNote: functionOf(
    NORMAL,
    `
    local name, id = ARGV[1], ARGV[2]
    local done = p .. ':done:' .. id
    if redis.call('EXISTS', done) == 1 then return 1 end
    local record = redis.call('HGET', p .. ':records', name)
    if not record then return 0 end
    local notes = p .. ':notes:' .. instanceOf(record)
    redis.call('RPUSH', notes, id .. '\\nnoted\\n' .. name .. '\\n' .. ARGV[3])
    redis.call('SET', done, 'noted', 'PX', 600000)
    redis.call('PUBLISH', notes, '')
    return 1
    `,
  ),
  /** instance, id of the last item that was told or '', most → items: id, kind, name, note or the value of the record, '' if it is gone */
  backlogNotes: functionOf(
    ALLOW_OOM,
    `
    local instance, last, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
    if redis.call('HEXISTS', p .. ':heirs', instance) == 1 then return {} end
    local notes, answer = p .. ':notes:' .. instance, {}
    local function partsOf(item) return string.match(item, '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n(.*)$') end
    if last ~= '' then
      for n, item in ipairs(redis.call('LRANGE', notes, 0, most - 1)) do
        if partsOf(item) == last then
          redis.call('LTRIM', notes, n, -1)
          break
        end
      end
    end
    for _, item in ipairs(redis.call('LRANGE', notes, 0, most - 1)) do
      local id, kind, name, note = partsOf(item)
      if kind == 'adopted' then
        local record = redis.call('HGET', p .. ':records', name)
        note = record and instanceOf(record) == instance and string.sub(record, #instance + 2) or ''
      end
      for _, part in ipairs({ id, kind, name, note }) do table.insert(answer, part) end
    end
    return answer
    `,
  ),
};
