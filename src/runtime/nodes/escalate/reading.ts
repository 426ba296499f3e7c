import { notSent, type Request } from "../../../client";
import { type Config, type Host, type Person, reader, toBoolean, toText, type ValueError } from "../../../fields";
import { oneLine } from "../../../fields/quote";
import type { Hotline } from "../action/declaration";
import type { Escalation } from "./declaration";
import type { Callee } from "./progress";

/** Largest calls of one incident together, in bytes: as large as one request may be. Our choice. */
const LARGEST = 256 * 1024;
/** Longest name of who acknowledges that is kept. */
const LONGEST_NAME = 200;

/** Reads the messages of a node. */
export interface IncidentReader {
  /** A mistake of the configuration with which every message fails. */
  readonly problem: ValueError | undefined;
  /** The key of the incident. Rejects with ValueError. */
  key(message: object): Promise<string>;
  /** The people to be called, and a request for each. Rejects with ValueError, or TenantError if they are too large. */
  calls(
    message: object,
    hotline: Hotline,
  ): Promise<{ readonly people: readonly Callee[]; readonly requests: readonly Request[] }>;
}

/** Prepares the fields of a node once, so that a message only has to be read and checked. */
export function incidentReader({ incident, call }: Escalation, config: Config, host: Host): IncidentReader {
  const keys = reader({ key: incident.key }, config, host);
  const people = reader({ people: incident.people }, config, host);
  const fields = reader(call.fields, config, host);
  return {
    problem: keys.problem ?? people.problem ?? fields.problem,
    key: async (message) => (await keys.read(message)).key,
    async calls(message, hotline) {
      const called = (await people.read(message)).people;
      // All are read before the first call, so that a mistake in the last one is found in time.
      const values = await Promise.all(called.map((person) => fields.read({ ...message, person })));
      const request = (person: Person, index: number) => {
        const to = { "to.type": person.type ?? "external", "to.number": person.number };
        return call.request({ ...values[index], ...to } as never, hotline);
      };
      const requests = fields.build(() => called.map(request));
      checkSize(requests);
      return { people: called.map(({ number, name }) => ({ number, name: name ?? null })), requests };
    },
  };
}

/** @throws TenantError ERR_INPUT */
function checkSize(requests: readonly Request[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(requests.map((request) => request.method === "POST" && request.body)));
  if (bytes <= LARGEST) return;
  const params = { field: "people", size: Math.ceil(bytes / 1024), most: LARGEST / 1024 };
  throw notSent("ERR_INPUT", "input", { key: "requestTooLarge", field: "people", params });
}

/**
 * Who acknowledges with a message: a name, or `true`; `undefined` if it acknowledges nothing.
 * @throws ValueError
 */
export function acknowledgementOf(message: object): string | true | undefined {
  const given = Object.hasOwn(message, "acknowledge") ? (message as { acknowledge: unknown }).acknowledge : undefined;
  const isSwitch = typeof given !== "string" || ["true", "false", "1", "0", "on", "off"].includes(given.trim());
  if (isSwitch) return toBoolean(given, "acknowledge") || undefined;
  return toText(oneLine(given).slice(0, LONGEST_NAME), "acknowledge");
}
