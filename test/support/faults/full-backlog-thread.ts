import { type AddressInfo, createServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const wake = workerData as Int32Array;

const server = createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  // Asleep, this thread's event loop accepts nothing; the kernel alone answers, until the backlog is full.
  Atomics.wait(wake, 0, 0);
  process.exit();
});
