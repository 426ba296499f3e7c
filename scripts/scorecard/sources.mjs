import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Longest wait for the catalogue, in milliseconds. */
const CATALOGUE_PATIENCE = 10_000;

/**
 * What the checker asks the network for, in the place of the modules that it would ask with. Only npm is needed; the
 * flow library's catalogue is asked where it can be reached.
 */
export async function sourcesOf(packed, { npm, semver }) {
  const { dependencies } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  const view = (...what) => JSON.parse(npm("view", ...what, "--json"));
  const asked = { catalogue: true };

  /** The registry's page of Node-RED, as far as the checker reads it. */
  const nodeRed = () => {
    const tags = view("node-red", "dist-tags");
    return { "dist-tags": tags, versions: { [tags.latest]: { engines: view(`node-red@${tags.latest}`, "engines") } } };
  };

  const catalogue = async (url) => {
    try {
      return await (await fetch(url, { signal: AbortSignal.timeout(CATALOGUE_PATIENCE) })).json();
    } catch {
      asked.catalogue = false;
      return { modules: [] };
    }
  };

  const axios = {
    get: async (url) => ({ data: url.endsWith("/catalogue.json") ? await catalogue(url) : nodeRed() }),
  };

  /** Whether each dependency may be at its latest version. */
  const npmCheck = async () => {
    const packages = Object.entries(dependencies).map(([moduleName, packageJson]) => {
      const { latest } = view(moduleName, "dist-tags");
      return { moduleName, packageJson, latest, easyUpgrade: semver.satisfies(latest, packageJson) };
    });
    return new Map([["packages", packages]]);
  };

  /** The checker asks for the tree of the first dependency only; it gets all of them, so that all are judged. */
  const tree = installedTree(dependencies, join(packed, "..", "tree"), npm);
  const npmRemoteLs = { config() {}, ls: (_name, _version, _flat, done) => done(tree) };

  return { modules: { axios, "npm-check": npmCheck, "npm-remote-ls": npmRemoteLs }, asked };
}

/** Every package that comes with the packed one, as `name@version`. */
function installedTree(dependencies, folder, npm) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies }));
  npm("install", "--prefix", folder, "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund");
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
}
