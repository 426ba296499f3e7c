import { equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OLDEST_NODE } from "../../../src/client/transport/undici";
import { root } from "../../support/root";

describe("the versions that the client needs", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    engines: { node: string };
    dependencies: { undici: string };
  };

  it("are those of the package's manifest", () => {
    equal(manifest.engines.node, `>=${OLDEST_NODE}`);
    const majors = [...manifest.dependencies.undici.matchAll(/\^(\d+)/g)].map(([, major]) => major);
    equal(majors.join(), "7,8");
  });
});
