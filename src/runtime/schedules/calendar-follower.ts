import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { DownloadError, download } from "../../client/transport/download";
import type { CalendarSource, Host } from "../../fields";
import { type CalendarCopy, calendarCopyName, parseCalendarCopy } from "../../fields/kinds/calendar-copy";
import { DAY_MS } from "../../hours/dates";
import { replaceFile } from "../../json/replace-file";
import { flows } from "../delivery/flow-lifecycle";
import { telephonyFolder } from "../delivery/unfinished-file";
import { logText, shared } from "../node-red/catalogue";
import { perNode } from "../node-red/node-state";
import { proxyFor } from "../node-red/proxy";
import { Calendar } from "./calendar";

/** As much as iCalendar text may have. */
const LARGEST = 5 * 1024 * 1024;
const LIMIT_MS = 30_000;

/** By address. */
const calendars = perNode<Calendar>("calendar");

/** The calendar at an address, which all nodes share. */
export function calendarAt(RED: NodeAPI, address: URL): Calendar {
  const known = calendars.get(address.href);
  if (known) return known;
  const folder = telephonyFolder(RED);
  const calendar = new Calendar({
    fetch: () =>
      download(address, { largest: LARGEST, limitMs: LIMIT_MS, proxyFor: (peer) => proxyFor(RED, "", peer) }),
    readCopy: async () => (folder === undefined ? undefined : readCopy(folder, address)),
    writeCopy: async (copy) => {
      if (folder !== undefined && calendar.isFollowed)
        await writeCopy(folder, address, copy).catch((error: Error) =>
          logText(RED, "warn", "log.calendarCopy", { server: address.host, reason: error.message }),
        );
    },
    ready: () => flows.untilRunning(),
  });
  calendars.set(address.href, calendar);
  return calendar;
}

/** The copy of a calendar from an earlier run; `undefined` if there is none, or if it is damaged. Never rejects. */
export async function readCopy(folder: string, address: URL): Promise<CalendarCopy | undefined> {
  try {
    return parseCalendarCopy(await readFile(join(folder, calendarCopyName(address)), "utf8"));
  } catch {
    return undefined;
  }
}

/** Rejects with the error of the file system. A copy that a power failure has damaged is fetched again. */
export async function writeCopy(folder: string, address: URL, copy: CalendarCopy): Promise<void> {
  replaceFile(join(folder, calendarCopyName(address)), JSON.stringify(copy), { isDurable: false });
}

/** The calendar at an address, if a node names it or a dialog has tried it. */
export function knownCalendar(address: URL): Calendar | undefined {
  return calendars.get(address.href);
}

/** Forgets the calendars that nobody follows any more. */
export function forgetUnfollowed(): void {
  for (const [address, calendar] of calendars) if (!calendar.isFollowed) calendars.delete(address);
}

/** The calendars that one node reads. */
export class CalendarFollower {
  readonly #followed = new Set<Calendar>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly changed: () => void,
  ) {}

  /** A host that reads calendars too, each fetched from now on. */
  host(host: Host): Host {
    return { ...host, calendar: (address) => this.#follow(address) };
  }

  /** When the oldest copy was fetched that is used although a newer one could not be. */
  get copyOf(): string | undefined {
    return [...this.#followed].flatMap(({ problem, copy }) => (problem && copy ? [copy.fetchedAt] : []))[0];
  }

  close(): void {
    for (const calendar of this.#followed) calendar.unfollow(this);
    this.#followed.clear();
    void flows.untilRunning().then(forgetUnfollowed);
  }

  #follow(address: URL): CalendarSource {
    const { RED } = this;
    const calendar = calendarAt(RED, address);
    if (!this.#followed.has(calendar)) calendar.follow(this, DAY_MS, this.changed);
    this.#followed.add(calendar);
    return {
      read: () => calendar.read(),
      get label() {
        const { problem } = calendar;
        if (!(problem instanceof DownloadError)) return address.host;
        const text = shared(RED, `status.${problem.key}`, problem.params);
        return shared(RED, "pattern.named", { name: address.host, text });
      },
    };
  }
}
