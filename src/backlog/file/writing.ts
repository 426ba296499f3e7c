import { type FileHandle, open } from "node:fs/promises";

const CHUNK = 1024 * 1024;
const NULS = Buffer.alloc(CHUNK);

/** Allocates room for later lines. Rejects with the error of the file system. */
export async function writeNuls(file: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += CHUNK) await writeAll(file, NULS.subarray(0, Math.min(CHUNK, to - at)), at);
}

/** A disk that is nearly full takes a part of a write. */
export async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/** Answers of file systems on which a folder cannot be opened or synced. */
const NO_FOLDER_SYNC = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP", "ENOSYS"]);

/**
 * Opens a folder, to make a rename in it durable; `undefined` where that is not possible. Windows has no such call, and
 * needs none. Rejects with any other error of the file system.
 */
export async function openFolder(path: string): Promise<FileHandle | undefined> {
  if (process.platform === "win32") return undefined;
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (NO_FOLDER_SYNC.has(error.code ?? "")) return undefined;
    throw error;
  });
}
