import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../process/free-port";
import { loadRedis } from "./ioredis";

/** A real Redis on loopback, with its data in a temporary folder. REDIS_SERVER names another one of that kind. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly options: readonly string[],
  ) {}

  static async start(...options: string[]): Promise<RedisServer> {
    return RedisServer.startAt(await freePort(), ...options);
  }

  static async startAt(port: number, ...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(port, await mkdtemp(join(tmpdir(), "redis-")), options);
    await server.restart();
    return server;
  }

  /** A node of a cluster. The port of its own for the others would by default be one that the system gives to any connection. */
  static async startNode(...options: string[]): Promise<RedisServer> {
    return RedisServer.start("--cluster-enabled", "yes", "--cluster-port", String(await freePort()), ...options);
  }

  async meet(other: RedisServer): Promise<void> {
    const port = other.options[other.options.indexOf("--cluster-port") + 1] ?? "";
    await this.command("CLUSTER", "MEET", "127.0.0.1", String(other.port), port);
  }

  /** Starts it again with the data that it has left. */
  async restart(): Promise<void> {
    const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    const args = [
      "--port",
      String(this.port),
      "--bind",
      "127.0.0.1",
      "--dir",
      this.folder,
      ...durable,
      ...this.options,
    ];
    this.#start(args);
    await this.command("PING");
  }

  /** A Sentinel, with a file that it rewrites. */
  static async startSentinel(primary: RedisServer): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), "sentinel-"));
    const file = join(folder, "sentinel.conf");
    const watch = `sentinel monitor main 127.0.0.1 ${primary.port} 1`;
    // A primary that is slow to answer on a busy machine is not down.
    const times = ["down-after-milliseconds 5000", "failover-timeout 10000"].map((time) => time.replace(" ", " main "));
    await writeFile(file, [watch, ...times.map((time) => `sentinel ${time}`), ""].join("\n"));
    const server = new RedisServer(await freePort(), folder, []);
    server.#start([file, "--sentinel", "--port", String(server.port), "--bind", "127.0.0.1"]);
    await server.command("PING");
    return server;
  }

  #start(args: readonly string[]): void {
    this.#process = spawn(process.env["REDIS_SERVER"] ?? "redis-server", args, { stdio: "ignore" });
  }

  /** Stops the process without ending it. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  /** Kills the process, as a power cut does: nothing is written any more. */
  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    if (this.#process) await once(this.#process, "exit");
    this.#process = undefined;
  }

  async command(name: string, ...args: string[]): Promise<unknown> {
    const { Redis } = await loadRedis();
    const at = this.options.indexOf("--requirepass");
    const password = at < 0 ? undefined : this.options[at + 1];
    const client = new Redis({ port: this.port, password, maxRetriesPerRequest: null, retryStrategy: () => 50 });
    client.on("error", () => {});
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }
}
