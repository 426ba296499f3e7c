import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { start, stop } from "./processes";

export interface Tenant {
  readonly origin: string;
  /** How many requests it has answered. */
  requests(): Promise<number>;
  stop(): Promise<void>;
}

export async function startTenant(): Promise<Tenant> {
  const child = start([join(__dirname, "tenant.js")]);
  const [{ listening }] = (await once(child, "message")) as [{ listening: AddressInfo }];
  return {
    origin: `http://127.0.0.1:${listening.port}`,
    async requests() {
      child.send({});
      const [{ requests }] = (await once(child, "message")) as [{ requests: number }];
      return requests;
    },
    stop: () => stop(child),
  };
}
