// Loaded before Node-RED by `--require`: its wall clock starts at CLOCK_AT, and goes on from there.
const { now } = Date;
const ahead = Date.parse(process.env.CLOCK_AT) - now();
Date.now = () => now() + ahead;
