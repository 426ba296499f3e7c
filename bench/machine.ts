import { readFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { MAJORS } from "./node-red";
import { project } from "./user-folder";

/** What the numbers were measured on. */
export interface Machine {
  readonly hardware: string;
  readonly node: string;
  readonly nodeRed: string;
  readonly undici: Readonly<Record<string, string>>;
}

export function machine(): Machine {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const model = processor?.model.trim() || "processor of unknown model";
  return {
    hardware: `${cpus().length} × ${model}, ${gigabytes} GB, ${platform()} ${release().split("-")[0]}`,
    node: process.versions.node,
    nodeRed: versionOf("node-red"),
    undici: Object.fromEntries(MAJORS.map((name) => [name, versionOf(name)])),
  };
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
