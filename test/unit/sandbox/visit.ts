import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { Sandbox, type SandboxOptions } from "../../../src/sandbox/http/server";
import { checkAnswer, OPERATIONS, operationOf } from "../../interface/interface";

/** The answer to one request, for the tests of the sandbox. */
export interface Visit {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
}

export interface VisitOptions {
  method?: string;
  headers?: Record<string, string>;
  /** An object goes out as JSON, a string or a Buffer as it is. */
  body?: unknown;
}

export const token = "a-token-of-the-tests";

/** A bare client: node:http also sends the Host and Origin headers that fetch refuses to. */
export function visit(address: string, { method = "GET", headers = {}, body }: VisitOptions = {}): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const isJson = answer.headers["content-type"] === "application/json";
        const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
      });
    });
    outgoing.on("error", reject);
    if (body === undefined) outgoing.end();
    else outgoing.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

/**
 * Sends `Authentication: Bearer <ACCESS_TOKEN>`, and a body as JSON, as the interface has it. Every answer is checked
 * against the interface; an answer to what is no operation must still be a refusal in the envelope.
 */
export async function ask(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Visit> {
  const headers: Record<string, string> = { Authentication: `Bearer ${token}`, Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await visit(sandbox.url + path, { method, headers, body });
  const known = [404, 405].includes(answer.status) ? OPERATIONS[0] : operationOf(method, path).operation;
  if (known) checkAnswer(known, answer.status, answer.json);
  return answer;
}

/** Sends a request that must be accepted. Returns the data of the answer. */
export async function accepts<T = null>(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<T> {
  const { status, json } = await ask(sandbox, method, path, body);
  assert.equal(status, 200);
  assert.deepEqual(json, ok(json["data"]));
  return json["data"] as T;
}

/** Sends a request that must be refused with this status and sentence. */
export async function refuses(
  sandbox: Sandbox,
  code: number,
  message: string,
  ...[method, path, body]: [method: string, path: string, body?: unknown]
): Promise<Visit> {
  const answer = await ask(sandbox, method, path, body);
  assert.equal(answer.status, code);
  assert.deepEqual(answer.json, no(code, message));
  return answer;
}

/** The parties of a call-out as the interface has them. */
export const PARTIES = {
  "from.type": "internal",
  "from.number": "9",
  "to.type": "external",
  "to.number": "0000000000",
};

/** Sends a request to the sandbox's controls. */
export function press(sandbox: Sandbox, name: string, body: unknown = {}, headers: VisitOptions["headers"] = {}) {
  const json = { "content-type": "application/json", ...headers };
  return visit(`${sandbox.url}/sandbox/${name}`, { method: "POST", headers: json, body });
}

/** A fresh sandbox for each test of the suite it is called in. */
export function sandboxForEach(options: Partial<SandboxOptions> = {}): () => Sandbox {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.start({ token, ...options });
  });
  afterEach(() => sandbox.stop());
  return () => sandbox;
}

/** The envelope of a success, from the interface's samples. */
export function ok(data: unknown, code = 200): Record<string, unknown> {
  return { success: true, code, locale: "en", message: "OK", data };
}

/** The sandbox's own choice for what the interface does not show. */
export function no(code: number, message: string): Record<string, unknown> {
  return { success: false, code, locale: "en", message, data: null };
}
