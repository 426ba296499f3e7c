import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Node } from "node-red";
import { replaceDurably, replaceFile } from "../../../src/json/replace-file";
import { ListFile } from "../../../src/runtime/nodes/list/list-file";

type Call = (...args: unknown[]) => Promise<unknown>;
const files = createRequire(__filename)("node:fs/promises") as Record<string, Call>;
const HEAD = { id: "l", tenant: "t", target: "t", name: "n", startedAt: "2026-07-01T08:00:00Z" };

/** Returns what makes a file durable: its sync, the rename, and the sync of the folder. */
async function callsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const calls: string[] = [];
  const handle = await (files["open"] as typeof import("node:fs/promises").open)(__filename);
  await handle.close();
  const shimmed = [
    [Object.getPrototypeOf(handle) as Record<string, Call>, "sync"],
    [files, "rename"],
  ] as const;
  const real = shimmed.map(([owner, name]) => owner[name] as Call);
  for (const [index, [owner, name]] of shimmed.entries())
    owner[name] = async function (this: unknown, ...args) {
      const result = await real[index]?.apply(this, args);
      calls.push(name);
      return result;
    };
  try {
    await act();
  } finally {
    for (const [index, [owner, name]] of shimmed.entries()) owner[name] = real[index] as Call;
  }
  return calls;
}

describe("A file that is replaced", () => {
  const newFolder = () => mkdtempSync(join(tmpdir(), "replace-"));

  for (const [name, replace] of Object.entries({
    "at once": async (path: string, text: string) => replaceFile(path, text),
    durably: (path: string, text: string) => replaceDurably(path, (file) => file.appendFile(text)),
  }))
    it(`${name} has the new text, and nothing lies beside it`, async () => {
      const folder = newFolder();
      const path = join(folder, "a");
      for (const text of ["old text", "new"]) await replace(path, text);
      assert.deepEqual([readFileSync(path, "utf8"), readdirSync(folder)], ["new", ["a"]]);
      const taken = join(folder, "taken");
      mkdirSync(taken);
      await assert.rejects(replace(taken, "new"));
      assert.deepEqual(readdirSync(folder), ["a", "taken"]);
    });

  it("durably keeps the old text if the new one cannot be written", async () => {
    const path = join(newFolder(), "a");
    replaceFile(path, "old");
    await assert.rejects(
      replaceDurably(path, () => Promise.reject(new Error("full"))),
      /full/,
    );
    assert.equal(readFileSync(path, "utf8"), "old");
  });

  it("durably never writes to what a link in the place of the unfinished file leads to", async function () {
    if (process.platform === "win32") this.skip();
    const folder = newFolder();
    const [path, other] = [join(folder, "a"), join(folder, "other")];
    replaceFile(other, "of somebody else");
    symlinkSync(other, `${path}.new`);
    await replaceDurably(path, (file) => file.appendFile("new"));
    assert.deepEqual([readFileSync(path, "utf8"), readFileSync(other, "utf8")], ["new", "of somebody else"]);
  });

  it("durably, as a list is written, is there after a power failure: the folder is synced, too", async function () {
    if (process.platform === "win32") this.skip();
    const folder = newFolder();
    const subject = { ...HEAD, list: { rows: ["{}"], problems: new Map() } };
    const node = { id: "n", type: "call-list" } as Node;
    const written = await callsOf(() => ListFile.create(folder, subject, node, { _msgid: "m" } as never));
    assert.deepEqual(written, ["sync", "rename", "sync"]);
  });
});
