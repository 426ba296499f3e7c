import type { Response } from "express";
import type { OpenAnswer } from "../../delivery/answers";

/** The connection of a request, as long as it has no answer. */
export interface Connection {
  response: Response | undefined;
}

/**
 * The `msg.res` of a webhook that answers by itself: an HTTP Response node behind it answers in its place, if nothing has yet. It
 * is no part of the message's JSON.
 */
export function lateResponse(connection: Connection, answered: OpenAnswer): object {
  const responder: Record<string, (...args: never[]) => unknown> = {
    get: (name: string) => connection.response?.get(name),
  };
  for (const name of ["set", "status", "cookie", "clearCookie", "send", "jsonp"] as const)
    responder[name] = (...args) => {
      const { response } = connection;
      if (response && (name === "send" || name === "jsonp")) {
        connection.response = undefined;
        answered.forget();
      }
      (response?.[name] as ((...args: never[]) => unknown) | undefined)?.call(response, ...args);
      return responder;
    };
  return { _res: responder, toJSON: () => undefined };
}
