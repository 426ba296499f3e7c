import { strictEqual } from "node:assert/strict";
import { util } from "@node-red/util";
import fc, { type Arbitrary } from "fast-check";
import type { Node, NodeAPI } from "node-red";
import { readSettings } from "../../../src/client";
import { reader } from "../../../src/fields";
import { checkPair } from "../../../src/fields/note";
import { checkSetting, checkSettings, type Setting } from "../../../src/fields/setting";
import { loadZone, type Zone } from "../../../src/hours";
import { type NodeProperty, nodeProperties } from "../../../src/runtime/node-properties";
import { fieldsByMode } from "../../../src/runtime/node-red/field-label";
import { hostOf } from "../../../src/runtime/node-red/host";
import { conditionReader } from "../../../src/runtime/nodes/action/conditions";
import type { Action } from "../../../src/runtime/nodes/action/declaration";
import { shapeOf } from "../../../src/runtime/nodes/action/modes";
import { readCommand } from "../../../src/runtime/nodes/control/command";
import { escalationSettings } from "../../../src/runtime/nodes/escalate/escalate-node";
import { optionReader } from "../../../src/runtime/nodes/gate/options";
import { gateSettings } from "../../../src/runtime/nodes/gate/settings";
import { LIST_SETTINGS } from "../../../src/runtime/nodes/list/settings";
import { triggerSettings } from "../../../src/runtime/nodes/trigger/settings";
import { webhookSettings } from "../../../src/runtime/nodes/webhook/settings";
import { pairs } from "../../support/browser/flows";
import { NODES } from "../../support/node-types";
import { casesOf } from "../../support/until";

/*
 * A value that a dialog accepts is accepted by the runtime, and the reverse. The dialog's side is checked by the
 * declaration as it ships, in JSON. An `${NAME}` is left out: Node-RED replaces it when it deploys.
 */

const HOST = hostOf({ util, _: String } as unknown as NodeAPI, { id: "n1", warn: () => {} } as unknown as Node);
const HERE = { settings: undefined };
const TENANT = { mode: "live", url: "https://acme.example.com" };
const REDIS = "redis://redis.example.com";
const GATE = { source: "value", schedule: [{ day: "mon", open: "08:00", close: "12:00" }], scheduleType: "list" };

const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom("", " ", null, undefined, true, false, 0, Number.NaN, [], {}, "\u0000", "a\tb"),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string(),
  fc.double(),
);

const digits = fc
  .integer({ min: 1, max: 20 })
  .chain((length) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`)));

const instants: Arbitrary<unknown> = fc.oneof(
  anything,
  digits,
  digits.map(Number),
  fc.integer({ min: 0, max: 4e12 }),
  fc.constantFrom(
    "2026-11-23",
    "2026-11-23T08:00",
    "2026-11-23T08:00+07:00",
    "2026-11-23T08:00:00.5Z",
    "2026-02-30T08:00Z",
  ),
  fc.constantFrom(
    "tomorrow",
    "1700000000",
    "170000000000000",
    " 1700000000000 ",
    "20261123T080000Z",
    "2026-11-23T24:00Z",
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

const HEADERS = [
  "Host",
  "Accept",
  "Expect",
  "Upgrade",
  "Keep-Alive",
  "X-Token",
  "Authentication",
  "a b",
  "x".repeat(101),
];
const ZONES = [
  "UTC",
  "IST",
  "EST",
  "Asia/Ho_Chi_Minh",
  "asia/saigon",
  "US/Pacific-New",
  "+07:00",
  "Mars/Olympus",
  "Etc/GMT+7",
];

/** Draws values around the bounds of a setting. */
function valuesFor(setting: Setting): Arbitrary<unknown> {
  switch (setting.kind) {
    case "option":
      return fc.oneof(
        anything,
        fc.constantFrom(...(setting.choices ?? []).flatMap((each) => [each, ` ${each} `, [each], each.toUpperCase()])),
      );
    case "path":
      return fc.oneof(anything, fc.constantFrom("orders", "/orders/", "a//b", "../a", "a b", "/", "a".repeat(201)));
    case "number":
      return fc.oneof(anything, numbersAround(Number(setting.from), Number(setting.to)));
    case "header":
      return fc.oneof(anything, fc.constantFrom(...HEADERS, ...HEADERS.map((name) => name.toLowerCase())));
    case "country":
      return fc.oneof(anything, fc.constantFrom("VN", "vn", "Vietnam", "V1", "ẞ"));
    case "zone":
      return fc.oneof(anything, fc.constantFrom(...ZONES, ...Intl.supportedValuesOf("timeZone")));
    case "address":
      return fc.oneof(
        anything,
        fc.webUrl(),
        fc.constantFrom(
          "http://localhost:4010",
          "http://acme.example.com",
          "https://a:b@acme.example.com",
          "https://${HOST}",
        ),
      );
    case "boolean":
      return fc.oneof(anything, fc.constantFrom("true", "false", "1", "on", "yes"));
    default:
      return fc.oneof(anything, fc.constantFrom("0901234567", "${A} and more", "a\nb", "x".repeat(4097)));
  }
}

function numbersAround(from: number, to: number): Arbitrary<unknown> {
  const near = [from, to].flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 0.5, bound + 1]);
  const number = fc.oneof(fc.constantFrom(...near), fc.integer({ min: Math.ceil(from), max: to }));
  const text = number.chain((each) =>
    fc.constantFrom(String(each), ` ${each} `, `${each}e0`, `0x${Math.abs(Math.trunc(each)).toString(16)}`, `${each}s`),
  );
  return fc.oneof(number, text);
}

async function accepts(check: () => unknown): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}

const isVariable = (value: unknown) => typeof value === "string" && /^\s*\$\{[^}]+\}\s*$/.test(value);

function agree(
  values: Arbitrary<unknown>,
  inDialog: (value: unknown) => unknown,
  atRuntime: (value: unknown) => unknown,
) {
  const property = fc.asyncProperty(
    values.filter((value) => !isVariable(value)),
    async (value) => strictEqual(await accepts(() => inDialog(value)), await accepts(() => atRuntime(value))),
  );
  return fc.assert(property, { numRuns: casesOf(300) });
}

/** The runtime's reading of a setting. */
function runtimeReads(type: string, action: Action | undefined, property: string, value: unknown): unknown {
  if (type === "telephony-tenant") return readSettings({ ...TENANT, [property]: value }, "secret", REDIS);
  if (type === "business-hour-gate") return gateSettings({ ...GATE, scheduleName: "Office", [property]: value });
  if (type === "business-hour-trigger")
    return gateSettings(triggerSettings({ ...GATE, scheduleName: "Office", [property]: value }).gate);
  if (type === "telephony-control")
    return value === "" || value === null || value === undefined || readCommand(value, "");
  if (type === "telephony-webhook") return webhookSettings({ path: "orders", [property]: value });
  if (type === "call-escalate") return escalationSettings({ [property]: value });
  if (type === "call-list") return checkSettings(LIST_SETTINGS, { [property]: value });
  if (!action) throw new Error(`${type}: nothing reads the settings of this node`);
  if (["onceAgain", "onceFor", "onceScope", "anytime"].includes(property))
    return conditionReader(action, { onceKey: "k", [property]: value }, "n1", HOST, HERE);
  return shapeOf(action, { [property]: value });
}

describe("A value that a dialog accepts is a value that the runtime accepts", () => {
  let zone: Zone;
  before(async () => {
    zone = await loadZone("Asia/Ho_Chi_Minh");
  });

  for (const node of NODES) {
    const { type } = node;
    const action = node.kind === "action" ? node : undefined;
    const shipped = JSON.parse(JSON.stringify(nodeProperties(node))) as NodeProperty[];
    for (const { property, setting } of shipped)
      if (setting)
        it(`${type}: ${property}`, () =>
          agree(
            valuesFor(setting),
            (value) => checkSetting(setting, value, property),
            (value) => runtimeReads(type, action, property, value),
          ));
    for (const { property, field } of shipped) {
      if (field?.kind === "instant")
        it(`${type}: ${property}`, () =>
          agree(
            instants,
            (value) => checkPair({ property, ...field }, { value, type: "str" }),
            (value) =>
              action && conditionReader(action, pairs("str", { [property]: value }), "n1", HOST, HERE).read({}),
          ));
      if (field?.kind === "moment")
        it(`${type}: ${property}`, () =>
          agree(
            instants,
            (value) => checkPair({ property, ...field }, { value, type: "str" }),
            async (value) => {
              const { pairs } = gateSettings({ ...GATE, at: value ?? "", atType: "str" });
              const options = optionReader(pairs, HOST);
              return options.checked(await options.read({}), zone);
            },
          ));
    }
    const modes = Object.keys(action?.modes ?? {});
    for (const [index, fields] of (action ? fieldsByMode(action) : []).entries())
      for (const [name, field] of Object.entries(fields)) {
        const note = shipped.find((each) => each.field?.name === name);
        const shown = note?.field?.modes?.[modes[index] ?? ""] ?? note?.field;
        if (note && shown)
          it(`${type} ${modes[index] ?? ""}: ${name}`, async () => {
            const choices = [...(shown.choices ?? []), ...Object.keys(shown.spellings ?? {})];
            const near = fc.constantFrom<unknown>(...choices, "1", "on", "007", 12);
            for (const source of ["str", "num", "bool", "json"])
              await agree(
                fc.oneof(anything, near),
                (value) => checkPair(shown, { value, type: source }),
                (value) => reader({ [name]: field }, pairs(source, { [note.property]: value ?? "" }), HOST).read({}),
              );
          });
      }
  }
});
