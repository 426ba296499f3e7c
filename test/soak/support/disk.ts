import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../part";

const SIZE = "64M";

/**
 * A disk whose power can be cut: an ext4 file system in a file. What was not flushed has not reached that file, so that a copy
 * of it is what a machine would find after a power cut. Needs Linux, and the right to mount.
 */
export class Disk {
  /** The text in the table if power cuts are not possible. */
  static readonly missing: Figure = {
    figure: "power cuts",
    wanted: "an ext4 file system can be mounted",
    found: "left out: this machine cannot",
    holds: true,
  };

  readonly #folder = mkdtempSync(join(tmpdir(), "disk-"));
  readonly #image = join(this.#folder, "image");
  /** The folder at which the file system is mounted. */
  readonly path = join(this.#folder, "mounted");

  private constructor() {
    run("truncate", "-s", SIZE, this.#image);
    run("mkfs.ext4", "-q", this.#image);
    run("mkdir", this.path);
    run("mount", "-o", "loop", this.#image, this.path);
  }

  /** Creates a disk; `undefined` where this machine cannot mount. */
  static create(): Disk | undefined {
    try {
      return new Disk();
    } catch {
      return undefined;
    }
  }

  /** @param gone ends the processes that use the disk. They must be stopped when this is called */
  async cutPower(gone: () => Promise<void>): Promise<void> {
    const found = join(this.#folder, "found");
    run("cp", "--sparse=always", this.#image, found);
    await gone();
    run("umount", this.path);
    run("mv", found, this.#image);
    run("mount", "-o", "loop", this.#image, this.path);
  }

  remove(): void {
    run("umount", this.path);
    rmSync(this.#folder, { recursive: true });
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, {
    stdio: "pipe",
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` },
  });
}
