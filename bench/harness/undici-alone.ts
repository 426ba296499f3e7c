import { PATHS, type Subject, TOKEN } from "./subject";

const HEADERS = {
  Authentication: `Bearer ${TOKEN}`,
  accept: "application/json",
  "accept-encoding": "identity",
  "content-type": "application/json",
};

/** The same requests through undici's pool, without Node-RED and this package: JSON is written and read. */
export function undiciAlone(origin: string) {
  const { Pool } = require("undici") as typeof import("undici");
  const pool = new Pool(origin, { connections: 256, pipelining: 1 });
  return async (subject: Subject, content: unknown): Promise<unknown> => {
    const request = { method: "POST", path: PATHS[subject], headers: HEADERS, body: JSON.stringify(content) } as const;
    const { statusCode, body } = await pool.request(request);
    const envelope = (await body.json()) as { success: boolean };
    if (!envelope.success || statusCode !== 200) throw new Error(`The tenant answered ${statusCode}`);
    return envelope;
  };
}
