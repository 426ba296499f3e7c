import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

const CHUNK = 1024 * 1024;
const NULS = Buffer.alloc(CHUNK);
/** A new file is written in chunks of this many lines. */
const LINES_AT_ONCE = 200;

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
async function openFolder(path: string): Promise<FileHandle | undefined> {
  if (process.platform === "win32") return undefined;
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (NO_FOLDER_SYNC.has(error.code ?? "")) return undefined;
    throw error;
  });
}

/**
 * Puts a new file in the place of another. A crash leaves either the old file or the new one.
 * @param placed the path names the new file now: takes its handle, and returns the old one
 */
export async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  placed: (file: FileHandle) => FileHandle,
): Promise<void> {
  const temporary = `${path}.new`;
  // Opened first: after the rename nothing may fail for want of a descriptor.
  const folder = await openFolder(dirname(path));
  let unused: FileHandle | undefined;
  try {
    const file = await open(temporary, "w+", 0o600);
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

/** Ignores an error that loses nothing: the file system syncs by itself later, or the next rewrite replaces the file that is left. */
function ignore(): void {}

/** Fills a new file. Returns where the lines end. */
export async function writeLines(
  file: FileHandle,
  records: Iterable<object>,
  lineOf: (record: object) => Buffer,
): Promise<number> {
  let end = 0;
  let chunk: Buffer[] = [];
  const flush = async () => {
    const bytes = Buffer.concat(chunk);
    chunk = [];
    await writeAll(file, bytes, end);
    end += bytes.length;
  };
  for (const record of records) if (chunk.push(lineOf(record)) === LINES_AT_ONCE) await flush();
  await flush();
  return end;
}
