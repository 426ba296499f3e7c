import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { refuse, root } from "../preconditions.mjs";

/** How long a start may take until its port is in use. */
const STARTING_MS = 60_000;

/**
 * Locks a user folder until this process ends: of two Node-REDs in one folder, the last deploy would win.
 * @param port where Node-RED will listen
 * @returns the port of the `npm start` that has the lock; undefined when this one has it now
 */
export async function lockFolder(folder, port) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "npm-start.json");
  const holder = readJson(file);
  if (holder && isAlive(holder.pid)) {
    // A process that was killed leaves the file, and the system reuses process ids.
    const isStarting = Date.now() - statSync(file).mtimeMs < STARTING_MS;
    if (isStarting || (await whyTaken(holder.port))) return holder.port;
  }
  writeFileSync(file, JSON.stringify({ pid: process.pid, port }));
  process.once("exit", () => rmSync(file, { force: true }));
  return undefined;
}

/**
 * Writes settings and secrets where they are missing, and links this package, so that Node-RED finds its nodes and
 * examples as if it were installed.
 * @returns the secrets
 */
export function prepareFolder(folder) {
  const settings = join(folder, "settings.js");
  if (!existsSync(settings)) copyFileSync(join(root, "scripts", "start", "settings.js"), settings);
  const secrets = join(folder, "secrets.json");
  if (!existsSync(secrets)) {
    const secret = () => randomBytes(18).toString("base64url");
    const content = { callSecret: secret(), credentialSecret: secret() };
    writeFileSync(secrets, JSON.stringify(content, null, 2), { mode: 0o600 });
  }
  // Linked anew each time: the project may have been moved.
  const link = join(folder, "node_modules/@cloud-telephony/node-red-call-actions");
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true, recursive: true });
  symlinkSync(root, link, "junction");
  return readJson(secrets) ?? refuse(`${secrets} is not JSON: correct it, or delete it and enter saved tokens again.`);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Undefined where the file holds no JSON. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** Whether this is a port as a user writes it. */
export function isPort(text) {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** The system's code for why nothing can listen on a port of loopback, such as `EADDRINUSE`; undefined when it is free. */
export async function whyTaken(port) {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return error.code;
  } finally {
    server.close();
  }
}
