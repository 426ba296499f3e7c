import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Request, Response } from "express";
import type { NodeAPI } from "node-red";
import { receiverOf } from "./routes";

/** The answer that a sender would have had. A body that is no JSON is a text. */
export interface Tried {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Hands a body to a webhook within the process, as from a sender who knows its secret.
 * @returns `undefined` if no such webhook receives requests
 */
export function tryRequest(RED: NodeAPI, id: string, type: string, body: Buffer): Promise<Tried> | undefined {
  const receiver = receiverOf(id);
  if (!receiver?.isServed) return undefined;
  // A flow that answers by itself uses these as Express makes them.
  const express = RED.httpNode as unknown as { readonly request: object; readonly response: object };
  const url = `/${receiver.path}`;
  const headers = { ...(type && { "content-type": type }), "content-length": String(body.length) };
  const plain = new IncomingMessage(new Socket());
  plain.push(body);
  plain.push(null);
  Object.assign(plain, { method: "POST", url, originalUrl: url, headers, query: {}, params: {} });
  const request = Object.setPrototypeOf(plain, express.request) as Request;
  const response = Object.setPrototypeOf(new ServerResponse(plain), express.response) as Response;
  Object.assign(request, { res: response });
  Object.assign(response, { req: request, locals: {} });
  return new Promise((resolve) => {
    response.end = (sent?: unknown) => {
      resolve({ status: response.statusCode, body: readable(sent) });
      return response;
    };
    receiver.receive(request, response, true);
  });
}

function readable(sent: unknown): unknown {
  const text = Buffer.isBuffer(sent) ? sent.toString() : String(sent ?? "");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
