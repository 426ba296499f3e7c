import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError, readFlowFile, readTestsFile } from "../../../src/cli/files";

const flows = [{ id: "a", type: "tab" }];
const tests = [{ name: "A", from: "2026-12-01", days: 1, then: [{ nobodyElse: true }] }];

describe("the files of the command", () => {
  let folder: string;
  const put = (name: string, content: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  const refused = (read: () => unknown, sentence: RegExp) =>
    assert.throws(read, (error) => error instanceof FileError && sentence.test(error.message));

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "telephony-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("reads flows as Node-RED stores them, and as its admin API gives them", () => {
    assert.deepEqual(readFlowFile(put("a.json", `\uFEFF${JSON.stringify(flows)}`)), flows);
    assert.deepEqual(readFlowFile(put("b.json", { rev: "1", flows })), flows);
  });

  it("says what is wrong with a flow file, and what to do", () => {
    refused(() => readFlowFile(join(folder, "none.json")), /none\.json does not exist; check its path\.$/);
    refused(() => readFlowFile(folder), /is a folder; name a file in it\.$/);
    refused(() => readFlowFile(put("c.json", "{")), /c\.json is not JSON: /);
    for (const [index, content] of [{}, [], [1], [{ id: "a" }], { flows: {} }].entries())
      refused(() => readFlowFile(put(`d${index}.json`, content)), /is not a flow: export your nodes/);
  });

  it("refuses a file without tests, which could only be green", () => {
    put("empty.json", flows);
    refused(() => readTestsFile(put("empty.tests.json", { tests: [] })), /empty\.tests\.json has no tests: /);
  });

  it("finds tests and flows beside each other, by the name of either", () => {
    put("shop.json", flows);
    const file = put("shop.tests.json", { tests });
    assert.deepEqual(readTestsFile(file), { file, flows, tests });
    assert.deepEqual(readTestsFile(join(folder, "shop.json")), { file, flows, tests });
    put("example.json", flows);
    const example = put("example.tests", { tests });
    assert.deepEqual(readTestsFile(example), { file: example, flows, tests });
    assert.deepEqual(readTestsFile(join(folder, "example.json")), { file: example, flows, tests });
  });

  it("names the file of a mistake in tests", () => {
    put("bad.json", flows);
    refused(
      () => readTestsFile(put("bad.tests.json", { tests: [{}] })),
      /^.*bad\.tests\.json: The tests\.0\.name field is required\.$/m,
    );
    refused(
      () => readTestsFile(put("alone.json", flows)),
      /alone\.json has no tests: write them to .*alone\.tests\.json/,
    );
    for (const missing of ["gone.json", "gone.tests.json"])
      refused(
        () => readTestsFile(join(folder, missing)),
        new RegExp(`^${join(folder, missing)} does not exist; check its path\\.$`),
      );
    refused(() => readTestsFile(put("lost.tests.json", { tests })), /lost\.json does not exist/);
  });
});
