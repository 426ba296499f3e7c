import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file in one step: after a crash there is the old text or the new one; if it is flushed, after a power failure, too.
 * @throws the error of the file system
 */
export function replaceFile(path: string, text: string, { mode = 0o600, flush = true } = {}): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    // A link that was put there is not written to.
    writeFileSync(unfinished, text, { mode, flag: "wx", flush });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Puts a new file in the place of another, or of none, in a folder that exists. A crash leaves either the old file or the new one;
 * once this resolves, a power failure leaves the new one. Only one at a time may replace a file. Rejects with the error of the file system.
 * @param placed the path names the new file now: takes its handle, and returns the one to close
 */
export async function replaceDurably(
  path: string,
  write: (file: FileHandle) => Promise<unknown>,
  placed = (file: FileHandle) => file,
): Promise<void> {
  const temporary = `${path}.new`;
  // Opened first: after the rename nothing may fail for want of a descriptor.
  const folder = await openFolder(dirname(path));
  let unused: FileHandle | undefined;
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, "wx+", 0o600);
    unused = file;
    await write(file);
    await file.sync();
    await rename(temporary, path);
    unused = placed(file);
    await folder?.sync().catch(ignore);
  } finally {
    await unused?.close().catch(ignore);
    await folder?.close().catch(ignore);
    await rm(temporary, { force: true }).catch(ignore);
  }
}

/** Answers of file systems on which a folder cannot be opened or synced. */
const NO_FOLDER_SYNC = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP", "ENOSYS"]);

/**
 * Opens a folder, to make a rename in it durable; `undefined` where that is not possible. Windows has no such call, and
 * needs none. Rejects with any other error of the file system.
 */
async function openFolder(path: string): Promise<FileHandle | undefined> {
  if (process.platform === "win32") return undefined;
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (NO_FOLDER_SYNC.has(error.code ?? "")) return undefined;
    throw error;
  });
}

/** Ignores an error that loses nothing: the file system syncs by itself later, or the next rewrite replaces the file that is left. */
function ignore(): void {}
