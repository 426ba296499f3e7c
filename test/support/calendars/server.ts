import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answers(next: Answer) {
      answer = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type CalendarServer = Awaited<ReturnType<typeof calendarServer>>;
