import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { EventEmitter } from "node:events";
import fs from "node:fs";
import module, { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";
import os from "node:os";
import { PassThrough } from "node:stream";
import tracing from "node:trace_events";
import v8 from "node:v8";
import { forbid, type Native, notAllowed, replace } from "./replace";
import { REFUSED, Sockets } from "./sockets";

/**
 * Closes the ways out of this process that Node's permission model leaves open: connections, look-ups, signals. The model itself
 * closes files, workers, addons, the inspector and `process.binding`.
 * @param refused called with what was tried
 */
export function confine(refused: (what: string) => void): Sockets {
  const sockets = new Sockets();
  sockets.confine(refused);
  confineDatagrams(refused);
  confineLookups(refused);
  failChildProcesses();
  forbid(process, ["kill", "_kill", "_debugProcess", "execve", "binding", "_linkedBinding", "dlopen"]);
  forbid(os, ["setPriority"]);
  confineWriters();
  syncBuiltinESMExports();
  return sockets;
}

/**
 * Forbids files that the permission model does not see, in some version of Node or another. A link may lead out of the own folder:
 * there must be none in it, so folders are not copied either, which takes the links in them along.
 */
function confineWriters(): void {
  forbid(fs, ["symlink", "symlinkSync", "link", "linkSync", "cp", "cpSync"]);
  forbid(fs.promises, ["symlink", "link", "cp"]);
  forbid(module, ["enableCompileCache"]);
  forbid(tracing, ["createTracing"]);
  forbid(v8, ["setFlagsFromString", "setHeapSnapshotNearHeapLimit", "writeHeapSnapshot"]);
  Object.defineProperty(process, "report", { value: undefined, writable: false, configurable: false });
  if (module.isBuiltin("node:sqlite")) forbid(process.getBuiltinModule("node:sqlite"), ["DatabaseSync", "backup"]);
}

function confineDatagrams(refused: (what: string) => void): void {
  const socket = dgram.createSocket("udp4");
  for (const symbol of Object.getOwnPropertySymbols(socket)) {
    const { handle } = Object((socket as unknown as Record<symbol, unknown>)[symbol]) as { readonly handle?: object };
    if (handle) forbid(Object.getPrototypeOf(handle), ["bind", "bind6", "connect", "connect6", "send", "send6"]);
  }
  socket.close();
  replace(dgram, "createSocket", () => () => {
    refused("the network by UDP");
    throw notAllowed("UDP");
  });
}

const LOOPBACK = [4, 6].map((family) => ({ address: family === 4 ? "127.0.0.1" : "::1", family }));

/** Names of this machine are known, and no others. */
function confineLookups(refused: (what: string) => void): void {
  const lookup = async (given: string | undefined, options: unknown) => {
    const name = given ?? "";
    const { family: wanted, all: isAll } = typeof options === "object" ? Object(options) : { family: options };
    const family = isIP(name);
    const isWanted = (each: { readonly family: number }) => ![4, 6].includes(wanted) || each.family === wanted;
    const all = family ? [{ address: name, family }] : LOOPBACK.filter(isWanted);
    if (family || /^(localhost|.*\.localhost)?$/i.test(name)) return isAll ? all : all[0];
    refused(name);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND", hostname: name });
  };
  replace(dns.promises, "lookup", () => lookup);
  replace(dns, "lookup", () => (name: string, options: unknown, callback = options) => {
    const answer = callback as (error: unknown, ...found: unknown[]) => void;
    void lookup(name, options).then((found) => {
      if (Array.isArray(found)) answer(null, found);
      else answer(null, found?.address, found?.family);
    }, answer);
  });
  forbid(dns, ["lookupService"]);
  forbid(dns.promises, ["lookupService"]);
  const { _handle: channel } = new dns.Resolver() as unknown as { readonly _handle: object };
  const native = Object.getPrototypeOf(channel) as Native;
  const queries = Object.getOwnPropertyNames(native).filter((name) => /^(query|getHostByAddr)/.test(name));
  for (const query of queries)
    replace(native, query, () => (_request, name) => {
      refused(String(name));
      return REFUSED;
    });
}

/** Makes child processes fail: Node-RED starts npm when it loads, and tolerates the failure. */
function failChildProcesses(): void {
  for (const name of ["exec", "execFile", "fork", "spawn"])
    replace(childProcess, name, () => (...given: unknown[]) => {
      const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
      const child = Object.assign(new EventEmitter(), streams, { kill: () => false, unref() {}, ref() {} });
      const error = notAllowed("A process");
      const callback = given.at(-1);
      process.nextTick(() => {
        if (typeof callback === "function") callback(error, "", "");
        else if (child.listenerCount("error") > 0) child.emit("error", error);
        child.emit("close", 1, null);
      });
      return child;
    });
  forbid(childProcess, ["execSync", "execFileSync", "spawnSync"]);
}
