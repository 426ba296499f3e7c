// Loaded before Node-RED by `--require`: its wall clock starts at CLOCK_AT, goes on from there, and at SIGCONT is set to CLOCK_THEN.
const { now } = Date;
const { CLOCK_AT, CLOCK_THEN } = process.env;
let ahead = Date.parse(CLOCK_AT) - now();
Date.now = () => now() + ahead;
if (CLOCK_THEN !== undefined)
  process.on("SIGCONT", () => {
    ahead = Date.parse(CLOCK_THEN) - now();
  });
