// Loaded before Node-RED by `--require`: its wall clock starts at CLOCK_AT, goes on from there, and at SIGCONT is set to CLOCK_THEN.
// With CLOCK_BOOT, the machine was started meanwhile, and systemd does not know its clock to be right.
const fs = require("node:fs");

const { now } = Date;
const { CLOCK_AT, CLOCK_THEN, CLOCK_BOOT } = process.env;
let ahead = Date.parse(CLOCK_AT) - now();
Date.now = () => now() + ahead;
if (CLOCK_THEN !== undefined)
  process.on("SIGCONT", () => {
    ahead = Date.parse(CLOCK_THEN) - now();
  });
if (CLOCK_BOOT !== undefined) {
  const { readFileSync, existsSync } = fs;
  fs.readFileSync = (path, ...more) => (String(path).endsWith("/boot_id") ? CLOCK_BOOT : readFileSync(path, ...more));
  fs.existsSync = (path) => !String(path).endsWith("/timesync/synchronized") && existsSync(path);
}
