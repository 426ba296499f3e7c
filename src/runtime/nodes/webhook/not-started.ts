import type { NextFunction, Request, Response } from "express";
import type { NodeAPI } from "node-red";
import { attempt } from "../../../json/rules";
import { flows } from "../../delivery/flow-lifecycle";

/** For so long after the load, senders are asked to come again. Milliseconds. */
const MAX_MS = 60_000;
const RETRY_AFTER_S = "5";

/** An app of Express, as far as the types lack it: the last argument is called if nothing in it answers. */
interface App {
  handle: (request: Request, response: Response, next: NextFunction) => void;
}

/** Answers 503 to a POST that nothing else answers, until the flows have started for the first time: 404 is final for many senders. */
export function answerBeforeStart(RED: NodeAPI): void {
  let isStarted = false;
  attempt(() =>
    RED.nodes.eachNode(() => {
      isStarted = true;
    }),
  );
  // Installed later, into flows that run.
  if (isStarted) return;
  const app = RED.httpNode as unknown as App;
  const { handle } = app;
  const early: App["handle"] = (request, response, next) =>
    handle.call(app, request, response, (error?: unknown) => {
      if (error || app.handle !== early || request.method !== "POST") {
        next(error);
        return;
      }
      const { NOT_APPLIED } = require("../../delivery/http-answer") as typeof import("../../delivery/http-answer");
      response.status(NOT_APPLIED.status).set("retry-after", RETRY_AFTER_S).json(NOT_APPLIED.body);
    });
  const end = () => {
    clearTimeout(timer);
    if (app.handle === early) app.handle = handle;
  };
  app.handle = early;
  flows.on("start", end);
  const timer = setTimeout(end, MAX_MS).unref();
}
