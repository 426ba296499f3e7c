import type { NodeAPI } from "node-red";
import { isObject } from "../../../json/rules";
import { type Body, HttpError } from "../http";
import { type Preview, Reader } from "./answer";
import { previewGate } from "./gate";
import { tryNumber } from "./guard";
import { fetchCalendar, previewHolidays } from "./holidays";

const PREVIEWS = { gate: previewGate, guard: tryNumber, holidays: previewHolidays };

/** Answers a dialog that shows something of its node before it is deployed. Nothing is sent for it. */
export function preview(RED: NodeAPI, body: Body): Promise<Preview> {
  const { what, config } = body;
  if (typeof what !== "string" || !Object.hasOwn(PREVIEWS, what) || !isObject(config)) throw new HttpError(400);
  return PREVIEWS[what as keyof typeof PREVIEWS](new Reader(RED, body), config, body);
}

/** Makes the `preview` of holidays, once their address was fetched. */
export function fetchForPreview(RED: NodeAPI, body: Body): Promise<Preview> {
  if (!isObject(body["config"])) throw new HttpError(400);
  return fetchCalendar(new Reader(RED, body), body["config"], body);
}
