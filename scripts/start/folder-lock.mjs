import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryPort } from "./port.mjs";

/** How long a start may take until its port is listened on. */
const STARTING_MS = 60_000;

/**
 * Keeps a user folder to this process until it ends: of two Node-REDs in one folder, the last deploy would win.
 * @param port where Node-RED will listen
 * @returns the port of the one that has the folder already; undefined when it is ours now
 */
export async function lockFolder(folder, port) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "npm-start.json");
  while (!write(file, { pid: process.pid, port })) {
    const holder = await runningHolder(file);
    if (holder) return holder.port;
    rmSync(file, { force: true });
  }
  process.once("exit", () => rmSync(file, { force: true }));
  return undefined;
}

/** Writes the file unless there is one. */
function write(file, holder) {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Whoever was killed leaves the file behind, and the system gives its number to another process some day. */
async function runningHolder(file) {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8"));
    if (holder.pid === process.pid || !isAlive(holder.pid)) return undefined;
    const isStarting = Date.now() - statSync(file).mtimeMs < STARTING_MS;
    return isStarting || (await tryPort(holder.port)).reason ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
