import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, open, rename, stat, symlink, unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** libuv cuts off the path of a longer socket without an error. */
const LONGEST_PATH = 103;

/** A second process, or a second tenant, uses the same file. */
export class LockedError extends Error {}

/**
 * Claims a file for this process, by listening on a socket beside it. The operating system closes the socket however the
 * process ends; a file with a process id would outlive a power cut, and the id might then belong to another process.
 */
export class Lock {
  private constructor(
    private readonly server: Server,
    readonly file: string,
    private readonly identity?: string,
    /** The socket, if libuv knows it by another path and cannot remove it. */
    private readonly unlink?: string,
  ) {}

  /** Rejects with `LockedError` if the file is claimed, else with the error of the file system. */
  static async take(file: string): Promise<Lock> {
    if (process.platform === "win32") return new Lock(await listening(pipeOf(file)), file);
    const path = `${file}.lock`;
    const inUse = new LockedError(`${file} is in use`);
    const { address, end } = await shortened(path);
    try {
      const server = await listening(address).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "EADDRINUSE") throw error;
        const old = await identityOf(path);
        // If it is refused, its process is gone.
        if ((await isAnswered(address)) || !(await removed(path, old))) throw inUse;
        return listening(address).catch((late: NodeJS.ErrnoException) => {
          throw late.code === "EADDRINUSE" ? inUse : late;
        });
      });
      // Another process that has found the same old socket may have moved this one aside for a moment.
      const own = await identityOf(path);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (own !== undefined && (await identityOf(path)) === own)
        return new Lock(server, file, own, address === path ? undefined : path);
      server.close();
      throw inUse;
    } finally {
      await end();
    }
  }

  static async isHeld(file: string): Promise<boolean> {
    if (process.platform === "win32") return isAnswered(pipeOf(file));
    const { address, end } = await shortened(`${file}.lock`);
    try {
      return await isAnswered(address);
    } finally {
      await end();
    }
  }

  /** Claims the file again if the socket is gone, perhaps with its folder. Rejects as `take` does. */
  async renewed(): Promise<Lock> {
    if (this.identity === undefined || (await identityOf(`${this.file}.lock`)) === this.identity) return this;
    // Closing the old socket removes what has its path now.
    if (await Lock.isHeld(this.file)) throw new LockedError(`${this.file} is in use`);
    await this.release();
    return Lock.take(this.file);
  }

  /** Removes the socket. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    // First: once it is closed, another process may have a socket of that name.
    if (this.unlink !== undefined) await unlink(this.unlink).catch(() => {});
    this.server.close();
    await once(this.server, "close");
  }
}

/** Names a pipe, as Windows has no sockets in the file system. A named pipe ends with its process. */
function pipeOf(file: string): string {
  return `\\\\.\\pipe\\telephony-${createHash("sha256").update(file.toLowerCase()).digest("hex").slice(0, 32)}`;
}

/** A path to a socket that is short enough, and what ends it once the socket is there. */
async function shortened(path: string): Promise<{ address: string; end: () => Promise<void> }> {
  if (path.length <= LONGEST_PATH) return { address: path, end: () => Promise.resolve() };
  if (process.platform === "linux") {
    const folder = await open(dirname(path), "r").catch(() => undefined);
    if (folder) return { address: `/proc/self/fd/${folder.fd}/${basename(path)}`, end: () => folder.close() };
  }
  const link = join(tmpdir(), `telephony-${randomUUID().slice(0, 8)}`);
  await symlink(dirname(path), link);
  return { address: join(link, basename(path)), end: () => unlink(link) };
}

/** Returns what distinguishes a socket from a later one of the same path; a rename leaves it as it is. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.mtimeNs}`;
}

/**
 * Removes an old socket. Another process may have found it as well, and have its own there by now: that one is put back.
 * @returns whether the old one was there
 */
async function removed(path: string, old: string | undefined): Promise<boolean> {
  const aside = `${path}.${randomUUID().slice(0, 8)}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const isOld = (await identityOf(aside)) === old;
  // It does not replace what a third process may have put there meanwhile.
  const isBack =
    isOld ||
    (await link(aside, path).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code === "EEXIST",
    ));
  await (isBack ? unlink(aside) : rename(aside, path));
  return isOld;
}

async function listening(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  // The lock alone must not keep a process alive.
  server.unref();
  server.listen(address);
  try {
    await once(server, "listening");
  } catch (error) {
    if (process.platform === "win32" && (error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new LockedError(`${address} is in use`);
    throw error;
  }
  return server;
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(!["ECONNREFUSED", "ENOENT"].includes(code)));
  });
}
