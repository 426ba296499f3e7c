export type Traces = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The promises of any engine, in the words of `traces.ts`. */
export const PROMISES: Traces = {
  order: {
    "first in, first out, as many as there are places":
      "places 2, accept - - - - -, begun 1 2, counts waiting 3, places 2, begun 1 2 3 4",
    "while starts are closed, only what begins at any time, and the others in order once they open":
      "close, accept - anytime - anytime, begun 2 4, counts waiting 2, open, begun 2 4 1 3",
    "of all while starts are open": "pause, accept - anytime - anytime, resume, begun 1 2 3 4",
    "runs that may not leave wait again, in front of the others": `places 2, accept - - - anytime, begun 1 2, close,
      requeue 2 1, counts waiting 4, places 2, begun 1 2 4, places 3, open, begun 1 2 4 1 2 3`,
    "urgent ones before all others, each in their order, in a pause only these": `pause, places 0,
      accept - urgent - anytime urgent -, places 1, begun 2, places 9, begun 2 5, accept urgent, begun 2 5 7,
      places 3, resume, begun 2 5 7 1 3 4`,
    "urgent ones not while starts are closed, or held": `close, accept - urgent anytime, begun 3,
      patient, fails, is-held, open, accept alarm, begun 3, counts waiting 3, resume, works, begun 3 2 4 1`,
    "nothing while it is paused or held; resume ends both": `pause, patient, accept -, fails, is-held,
      counts paused true waiting 1, begun, resume, begun 1, counts paused false heldUntil undefined`,
  },
  room: {
    "for as many entries and bytes as may wait, and for one that begins at once": `with entries 2 bytes 10,
      accept size:100, begun 1, places 0, accept size:9, accept size:2 → full, accept size:1, accept size:0 → full`,
    "always for an alarm": "with entries 1 bytes 2, places 0, accept - alarm alarm+size:3, accept urgent → full",
    "for one that does not wait for the service": "with entries 0, fails, accept -, begun 1",
    "beside what waits elsewhere in the process": "with entries 2, pause, elsewhere 1, accept -, accept - → full",
    "not for one that begins at once while starts are closed":
      "with entries 1, close, accept -, accept - → full, places 1, accept anytime → full",
  },
  keys: {
    "are taken once, and the second one learns of the first": `accept key, begun 1, accept key → duplicate pending,
      settle 1 unknown, ends 1:unknown, accept key → duplicate unknown, begun 1`,
    "are given back by what was not applied, or was dropped": `accept key, begun 1, settle 1 rejected,
      ends 1:rejected, pause, accept key, drop → 1, accept key`,
    "are shared with requests that do not wait in the backlog":
      "take key → accepted, accept key → duplicate, settle-key key not-applied, is-free key, accept key",
    "are kept as if they were used now, until they are given back": `take key → accepted, keep key 3600000,
      try key → duplicate applied, keep key 0, try key → accepted, keep key 1, is-free key`,
    "are all taken, or none": `pause, accept number number, accept key:once+number → usedUp 60,
      try key:once → accepted, accept key:once, accept use:other+key:once → duplicate, try use:other → accepted`,
    "are not taken by what finds no room": "with entries 1, pause, accept -, accept key → full, try key → accepted",
    "of several uses are counted, and given back one by one": `accept number number, begun 1 2, settle 1 applied,
      settle 2 rejected, ends 1:applied 2:rejected, pause, accept number, try number → usedUp, drop → 1,
      try number → accepted`,
  },
  "an end": {
    "is reported once, with the result of the run": "accept -, begun 1, settle 1 applied, ends 1:applied",
    "expired: what its time has passed for uses no start":
      "with rate 0.001, pause, accept until:-1000 until:-1000 -, resume, begun 3, ends 1:expired 2:expired",
    "dropped: of one node, and the others keep their order":
      "pause, accept of:a of:b of:a of:b, drop a → 2, ends 1:dropped 3:dropped, resume, begun 2 4",
    "dropped: all, or all that is held back, but alarms only with their node": `places 0,
      accept - alarm alarm+held-back held-back, drop held-back → 1, ends 4:dropped, drop → 1,
      ends 4:dropped 1:dropped, drop a → 2`,
    "cancelled: one entry, which gives its keys back, unless it has begun or is unknown": `places 1, accept - key -,
      begun 1, withdraw 2 → true, withdraw 2 → false, withdraw 1 → true, withdraw unknown → false, ends 2:dropped,
      try key → accepted, places 1, begun 1 3`,
  },
  dates: {
    "are waited for, behind what waits then, and delay nothing": `accept in:60000 -, begun 2,
      counts waiting 1 dated 1, next-date 1, places 0, accept - in:100, counts dated 1, accept -, places 3,
      begun 2 3 4 5`,
    "count towards the room": "with entries 1, accept in:60000, close, accept - → full",
    "take a use of a key when they have come, and end without one if none is left": `due-key use, accept in:60000,
      try use → accepted, accept in:50+key:a, begun 2, try use → usedUp, accept in:50+key:b, ends 3:usedUp/60,
      try key:b → accepted, settle 2 rejected, ends 2:rejected 3:usedUp/60, try use → accepted,
      try key:a → accepted`,
    "expired, if the end of their time has passed, too":
      "places 0, accept in:20+until:40, is-over 1, counts dated 0, places 1, ends 1:expired",
  },
  "a name": {
    "cancels what waits with it, of all nodes, and counts what has begun": `places 1,
      accept name name+key name+of:b+in:60000 name:other, begun 1, cancel n → 2/1, cancel n → 0/1,
      cancel unknown → 0/0, ends 2:cancelled 3:cancelled, try key → accepted, places 1, begun 1 4`,
    "cancels what has begun and may not leave after all":
      "accept name+key, begun 1, cancel n → 0/1, requeue 1, ends 1:cancelled, begun 1",
  },
  "an entry that replaces": {
    // The third and the fifth one are accepted although nothing else may wait.
    "takes the place of the one that waits with its key, with a date and a turn of its own": `with entries 2,
      accept name+key+in:60000, accept name+key+replaces+in:61000 → replaced 1, ends 1:replaced, next-date 2, pause,
      accept -, accept name+key+replaces → replaced 2, accept name+key+replaces → replaced 4, resume, begun 3 5,
      accept name+key+replaces → duplicate pending, settle 5 applied, ends 1:replaced 2:replaced 4:replaced 5:applied,
      accept name+key+replaces → duplicate applied, cancel n → 0/0`,
    "leaves one with the key in another scope, although both have a use of one more key": `pause,
      accept name+key:elsewhere+number name+key+number+replaces, counts waiting 2, ends`,
    "leaves it as it is if it is not accepted, and takes no place where none waits": `with bytes 10, accept use,
      accept name+key+in:60000, accept name+key+use+replaces → usedUp, close,
      accept name+key+replaces+size:11 → full, try key → duplicate, ends, counts dated 1, cancel n → 1/0, open,
      accept name:m+key:m+replaces`,
    "one after the other, in the same moment": `accept-at-once name+key+in:60000 name+key+replaces+in:60000
      name+key+replaces+in:60000 → accepted replaced 1 replaced 2, ends 1:replaced 2:replaced, cancel n → 1/0`,
  },
  list: {
    "has what waits in the order in which it will begin": `pause, places 0,
      accept in:90000+urgent - in:60000 anytime urgent - urgent, lists 5:turn 7:turn 2:pause 4:pause 6:pause 3:date 1:date`,
  },
  records: {
    "are created once, changed and removed, and hear notes": `create a 1 → true, create a 2 → false,
      update a 3 → true, update b 4 → false, note a note → true, note b note → false, remove a, remove a,
      update a 5 → false, create a 6 → true, notes note:a:note`,
  },
};

/** The promises of any engine that outlives a process, whether that closes its store or is killed. */
export const RESTARTS: Traces[string] = {
  "what waited goes on in order, and what had begun is lost": `places 2, accept - - - anytime number urgent,
    begun 1 2, settle 2 applied, ends 2:applied, restart, begun 6 3 4 5, ends 1:lost, counts restored 4,
    settle 6 rejected, settle 3 rejected, settle 4 rejected, settle 5 rejected,
    ends 1:lost 6:rejected 3:rejected 4:rejected 5:rejected, counts restored 0, try use → accepted`,
  "what waited for a node that is gone is dropped, also while the backlog is paused": `pause,
    accept of:gone of:there of:gone, restart gone, ends 1:dropped 3:dropped, begun, counts waiting 1 paused true`,
  "dates are waited for, keys of what waits for them are taken, and what was replaced is gone": `places 0,
    accept name+key+in:60000 in:1000, accept name+key+replaces+in:1100 → replaced 1, ends 1:replaced, restart,
    accept key → duplicate, begun 2 3, ends`,
  "what was cancelled or taken back is as it was": `places 1, accept - - -, begun 1, requeue 1, withdraw 2 → true,
    counts waiting 2, restart, begun 1 3, ends`,
  "keys are still taken, and records restored before anything begins": `accept key, begun 1, settle 1 applied,
    ends 1:applied, create a 1 → true, update a 2 → true, create b 1 → true, remove b, keep key:kept 3600000,
    restart, notes restored:a:2, accept key → duplicate, try key:kept → duplicate applied, create a 3 → false, create b 3 → true`,
  "keys of what was cut off are unknown, and kept for their time": `accept key+moment number number, begun 1 2 3,
    take key:request → accepted, take moment:brief → accepted, restart, ends 1:lost 2:lost 3:lost,
    is-unknown key:request, try key → duplicate unknown, try number → usedUp 60, is-free moment, is-free moment:brief`,
  "a key of a request is unknown, also if nothing else was left": `take key → accepted, restart, is-unknown key`,
  "a use that was taken at a date is taken, and settled with its entry": `places 0, due-key use, accept key+in:20,
    counts waiting 1 dated 0, restart, begun 1, try use → usedUp, settle 1 rejected, ends 1:rejected,
    try use → accepted, try key → accepted`,
  "what is held back stays so, and the next entries of records, until it is released": `close, accept - - -,
    create a 1 → true, create b 1 → true, hold heldBack 1 2 a b, restart, holds-back a, holds-back b, begun 3,
    lists 1:held-back 2:held-back, hold released 1 a, restart, notes restored:a:1 restored:b:1, begun 1,
    holds-back b, releases a, lists 2:held-back, close, resume, restart, notes restored:a:1 restored:b:1, begun 2, releases b`,
  "the service has worked once": "proves, restart, is-proven",
};

/** The promises of any engine whose writes may fail. */
export const FAILURES: Traces[string] = {
  "takes no key": `breaks, accept key → failed, take key:request → failed, works-again, accept key,
    take key:request → accepted, begun 2`,
  "leaves what was to be replaced as it is": `places 0, accept name+key+in:60000, breaks,
    accept name+key+replaces+in:61000 → failed, works-again, try key → duplicate pending, next-date 1,
    accept name+key+replaces+in:61000 → replaced 1, ends 1:replaced, try key → duplicate pending`,
  "takes a use at a date later, once": `due-key use, accept in:300, breaks, is-missed 1, works-again, begun 1,
    try use → usedUp, settle 1 rejected, ends 1:rejected, try use → accepted`,
  "writes down later what was decided meanwhile": `create a 1 → true, accept key -, begun 1 2, breaks, pause, proves,
    settle 1 applied, works-again, ends 1:applied, kill, notes restored:a:1, ends 2:lost, is-proven, counts paused true,
    try key → duplicate applied`,
};
