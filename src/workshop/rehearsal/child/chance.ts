import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import vm from "node:vm";
import { type AnyFunction, replace } from "./replace";

/** The answers of `os` that would differ from one machine to another, and from one moment to the next. */
const MACHINE = { hostname: "rehearsal", uptime: 86_400, freemem: 2 ** 30, loadavg: [0, 0, 0] };

/** Makes what is decided by chance in this process repeatable. It has no secrets. */
export function seedChance(seed: number): void {
  Math.random = numbers(seed);
  const next = numbers(~seed);
  let contexts = 0;
  const fill = <T extends NodeJS.ArrayBufferView | ArrayBuffer>(target: T): T => {
    const bytes = ArrayBuffer.isView(target)
      ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
      : new Uint8Array(target);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next() * 256;
    return target;
  };
  const fillPart = (target: NodeJS.ArrayBufferView | ArrayBuffer, offset = 0, size?: number) => {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(target) ? target : new Uint8Array(target);
    // A DataView has no elements.
    const unit = (target as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;
    const length = size === undefined ? byteLength - offset * unit : size * unit;
    fill(new Uint8Array(buffer, byteOffset + offset * unit, length));
    return target;
  };
  const later =
    (make: AnyFunction) =>
    (...given: unknown[]) => {
      const callback = given.at(-1);
      if (typeof callback !== "function") return make(...given);
      process.nextTick(callback, null, make(...given.slice(0, -1)));
      return undefined;
    };
  const between = (low: number, high?: number) =>
    high === undefined ? Math.floor(next() * low) : low + Math.floor(next() * (high - low));
  for (const name of ["randomBytes", "pseudoRandomBytes", "prng", "rng"])
    replace(crypto, name, () => later((size: number) => fill(Buffer.alloc(size))));
  replace(crypto, "randomInt", () => later(between));
  replace(crypto, "randomFillSync", () => fillPart);
  replace(crypto, "randomFill", () => later(fillPart));
  const web = Object.getPrototypeOf(globalThis.crypto) as object;
  for (const each of [crypto, web]) replace(each, "randomUUID", () => () => uuid(fill(Buffer.alloc(16))));
  replace(web, "getRandomValues", () => fill);
  // The code of a function node has a Math, an Intl and a Temporal of its own. Each has its own numbers, whatever the others draw.
  replace(vm, "createContext", (create) => (...given: unknown[]) => {
    const context = create(...given);
    contexts += 1;
    const inside = vm.runInContext("globalThis", context) as typeof globalThis;
    inside.Math.random = numbers(seed ^ Math.imul(contexts, 0x9e3779b1));
    for (const name of ["Intl", "Temporal"] as const)
      if (name in globalThis) Object.assign(inside, { [name]: (globalThis as Record<string, unknown>)[name] });
    return context;
  });
  for (const [name, value] of Object.entries(MACHINE)) replace(os, name, () => () => structuredClone(value));
  syncBuiltinESMExports();
}

/** Generates numbers from 0 up to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function uuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
