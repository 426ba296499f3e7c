import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type CalendarServer, calendarServer, ics } from "../support/calendars/server";
import { eventually } from "../support/process/eventually";
import { NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const ALWAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({ day, open: "00:00", close: "00:00" }));

describe("the calendar at an address, in a real Node-RED", () => {
  let server: CalendarServer;
  let nodeRed: NodeRed | undefined;
  after(async () => {
    nodeRed?.kill();
    await server.stop();
  });

  it("is known after a restart, while its server is away", async () => {
    const daily = ["DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=DAILY", "SUMMARY:Holiday", "TRANSP:TRANSPARENT"];
    server = await calendarServer(ics(daily));
    const folder = await userFolder();
    nodeRed = await NodeRed.start(folder);
    const place = { z: "tab", x: 100, y: 100 };
    const gate = {
      ...place,
      id: "gate",
      type: "business-hour-gate",
      source: "value",
      schedule: ALWAYS,
      scheduleType: "list",
    };
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Holidays" },
      { ...place, id: "ask", type: "http in", method: "get", url: "/ask", wires: [["gate"]] },
      {
        ...gate,
        timezone: "UTC",
        exceptions: `${server.url}/holidays.ics`,
        exceptionsType: "url",
        wires: [["say"], ["say"]],
      },
      {
        ...place,
        id: "say",
        type: "change",
        rules: [{ t: "set", p: "payload", pt: "msg", to: "businessHour", tot: "msg" }],
        wires: [["answer"]],
      },
      { ...place, id: "answer", type: "http response", wires: [] },
    ]);
    const ask = async () => {
      const { open, exception, incomplete } = (await (await fetch(`${nodeRed?.url}/ask`)).json()) as Record<
        string,
        unknown
      >;
      return [open, exception, incomplete];
    };
    assert.deepEqual(await ask(), [false, "Holiday", false]);
    const copies = async () => (await readdir(join(folder, "telephony"))).filter((name) => /^calendar-/.test(name));
    const [copy = ""] = await eventually(async () => {
      const found = await copies();
      return found.length === 1 && /\.json$/.test(found[0] ?? "") ? found : undefined;
    });
    if (process.platform !== "win32") assert.equal((await stat(join(folder, "telephony", copy))).mode & 0o777, 0o600);
    await nodeRed.stop();
    server.answers((response) => response.destroy());
    nodeRed = await NodeRed.start(folder);
    assert.deepEqual(await ask(), [false, "Holiday", false]);
    await nodeRed.stop();
  });
});
