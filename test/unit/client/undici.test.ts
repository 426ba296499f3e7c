import { equal, throws } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OLDEST_NODE } from "../../../src/client/transport/undici";
import { root } from "../../support/root";

const MODULE = require.resolve("../../../src/client/transport/undici");

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

describe("an undici that fits by its manifest, but throws while it is loaded", () => {
  const [ours, theirs] = [require.cache[MODULE], require.cache[require.resolve("undici")]];
  const put = (path: string, loaded: NodeJS.Module | undefined) => {
    if (loaded) require.cache[path] = loaded;
    else delete require.cache[path];
  };
  after(() => {
    put(MODULE, ours);
    put(require.resolve("undici"), theirs);
  });

  it("is a problem of the installation, found with the first request", () => {
    put(MODULE, undefined);
    const { undici, platformProblem } = require(MODULE) as typeof import("../../../src/client/transport/undici");
    const broken = Object.defineProperty({ loaded: true }, "exports", {
      get: () => {
        throw new TypeError("is not a function");
      },
    });
    put(require.resolve("undici"), broken as NodeJS.Module);
    equal(platformProblem(), undefined);
    throws(undici, { code: "ERR_CONFIG", key: "config.undiciUnfit", retryable: false, sent: "no" });
    const problem = platformProblem();
    throws(undici, (error) => error === problem);
  });
});
