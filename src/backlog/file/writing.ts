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

/** Makes a rename durable. Windows has no such call, and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
