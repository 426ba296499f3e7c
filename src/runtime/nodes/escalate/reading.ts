import { NumberNormalizer } from "../../../client/guard/number-normalizer";
import { tooLarge } from "../../../client/queue/refusals";
import type { Settings } from "../../../client/settings";
import { type Config, type Field, type Host, type Person, reader, toBoolean, toText } from "../../../fields";
import { isUnreadable, readEachPerson, type UnreadablePerson } from "../../../fields/kinds/people";
import { plainText, readPhoneNumber } from "../../../fields/kinds/phone-number";
import { oneLine } from "../../../fields/quote";
import type { Hotline } from "../action/declaration";
import type { Escalation } from "./declaration";
import type { Resolution } from "./progress";

/** Longest name of who acknowledges that is kept. */
const LONGEST_NAME = 200;

/** Prepares the fields of a node once, so that a message only has to be read and checked. */
export function incidentReader({ incident, call }: Escalation, config: Config, host: Host) {
  const keys = reader({ key: incident.key }, config, host);
  const each = { ...incident.people, check: readEachPerson } as Field<(Person | UnreadablePerson)[], true>;
  const people = reader({ people: each }, config, host);
  const fields = reader(call.fields, config, host);
  return {
    /** A mistake of the configuration with which every message fails. */
    problem: keys.problem ?? people.problem ?? fields.problem,
    /** The key of the incident. Rejects with ValueError. */
    key: async (message: object) => (await keys.read(message)).key,
    /**
     * The people to be called, each once, a request for each, and the entries that cannot be called. Rejects with ValueError, or
     * TenantError if a request is too large.
     */
    async calls(message: object, settings: Hotline & Pick<Settings, "country">) {
      const all = (await people.read(message)).people;
      const unreadable = all.filter(isUnreadable);
      for (const { problem } of unreadable) problem.source ??= people.looked("people") ?? problem.path;
      const called = all.filter((one): one is Person => !isUnreadable(one));
      // All are read before the first call, so that a mistake in the last one is found in time.
      const values = await Promise.all(called.map(async (person) => fields.read({ ...message, person })));
      const request = (person: Person, index: number) => {
        const to = { "to.type": person.type ?? "external", "to.number": person.number };
        return call.request({ ...values[index], ...to } as never, settings);
      };
      const requests = fields.build(() => called.map(request), message);
      for (const one of requests) {
        const refusal = one.method === "POST" && tooLarge(one, Buffer.byteLength(JSON.stringify(one.body)));
        if (refusal) throw refusal;
      }
      const isRepeated = repeated(called, settings.country);
      return {
        people: called.flatMap(({ number, name }, index) => (isRepeated[index] ? [] : { number, name: name ?? null })),
        requests: requests.filter((_, index) => !isRepeated[index]),
        unreadable,
      };
    },
  };
}

/** Marks each person whose external number stands further up in the list already, perhaps written in another way. */
export function repeated(people: readonly Person[], country: string): boolean[] {
  const normalizer = new NumberNormalizer(country);
  const seen = new Set<string>();
  return people.map(({ number, type = "external" }) => {
    if (type !== "external") return false;
    // The guard does not read an extension, which may be another telephone.
    const forms = readPhoneNumber(number)?.hasExtension ? [] : normalizer.formsOf(number);
    const marks = forms.length > 0 ? forms.map((form) => `+${form}`) : [plainText(number).replace(/[^0-9]/g, "")];
    const isRepeated = marks.some((mark) => seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isRepeated;
  });
}

/**
 * Returns how a message ends an incident, if it does: what it is about is over, or somebody acknowledges, with a name or `true`.
 * @throws ValueError
 */
export function resolutionOf(message: object): Resolution | undefined {
  const { over, acknowledge } = { ...message } as { readonly over?: unknown; readonly acknowledge?: unknown };
  if (toBoolean(over, "over")) return { type: "over" };
  const isName = typeof acknowledge === "string" && !/^\s*(true|false|on|off|1|0)\s*$/.test(acknowledge);
  const name = isName ? toText(oneLine(acknowledge).slice(0, LONGEST_NAME), "acknowledge") : undefined;
  const by = isName ? name : toBoolean(acknowledge, "acknowledge");
  return by ? { type: "acknowledged", by } : undefined;
}
