import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/root";

/** Declarations whose docstring is as it should be. */
const GOOD = [
  "/** Reads a file. */ export function one(): void {}",
  "/** The number of calls. */ export const TWO = 2;",
  "/** Whether it waits. */ export let three = false;",
  "/** Whether it has ended. */ export const four = (): boolean => true;",
  "export interface Five { /** Whether it is open, or why not. */ readonly isOpen: string | true }",
  "export class Six { /** Whether it is full. */ get isFull(): boolean { return true; } }",
  "/** @throws an error */ export function seven(): void {}",
];
/** The same with one that is not. */
const BAD = [
  "/** What a gate decides. */ export type Thirteen = string;",
  "/** As long as it waits. */ export function fourteen(): void {}",
  "/** Its reading. */ export const ten = () => {};",
  "/** It waits. */ export let eleven = false;",
  "export interface Fifteen { /** Open at that time. */ readonly isOpen?: boolean }",
  "export class Twelve { /** The service has answered. */ isProven = false; }",
  "export class Sixteen { /** It is full. */ get isFull(): boolean { return true; } }",
  "/** Whether it is open. */ export const seventeen: number = 8;",
  "/** Whether it is open. */ export interface Eighteen {}",
];

describe("The rule for docstrings", () => {
  it("names each headless one, each boolean without “Whether” and each “Whether” of something else", () => {
    const file = join(mkdtempSync(join(tmpdir(), "docstrings-")), "a.ts");
    writeFileSync(file, [...GOOD, ...BAD].join("\n"));
    const command = [
      join(root, "node_modules/oxlint/bin/oxlint"),
      "--config",
      ".oxlintrc.json",
      "--format",
      "unix",
      file,
    ];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
    const lines = [...stdout.matchAll(/a\.ts:(\d+):.*docstrings/g)].map(([, line]) => Number(line));
    const expected = BAD.map((_, index) => GOOD.length + index + 1);
    assert.deepEqual(
      lines.sort((a, b) => a - b),
      expected,
      stdout + stderr,
    );
  });
});
