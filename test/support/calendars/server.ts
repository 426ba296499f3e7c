import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { end, listen } from "../loopback";

type Answer = string | ((response: ServerResponse, request: IncomingMessage) => void);

/** A calendar of these events, each given by its lines. */
export function ics(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

/** A real server on loopback that gives a calendar, or misbehaves. */
export async function calendarServer(first: Answer = "") {
  let answer = first;
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (typeof answer === "function") answer(response, request);
    else response.end(answer);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    answers(next: Answer) {
      answer = next;
    },
    stop: () => end(server),
  };
}

export type CalendarServer = Awaited<ReturnType<typeof calendarServer>>;
