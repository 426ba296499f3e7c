import { deepStrictEqual, ok } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { pairOf, propertyName } from "../../../src/fields";
import { fieldsByMode } from "../../../src/runtime/node-red/field-label";
import { type ExpectedRequest, REQUESTS } from "../../interface/requests";
import { startValues } from "../../support/dialogs";
import { ACCEPTED } from "../../support/live-tenant";
import { ACTIONS, NODES } from "../../support/node-types";
import * as stage from "../../support/stage";
import { flowWith, load, play, withTenant } from "../../support/stage";

/** The values of a call-out from the palette that it has instead of mapping them: one text of the message, and no answer address. */
const OWN: Readonly<Record<string, readonly string[]>> = { "call-out": ["actions", "answer_url"] };

const dropped = (type: string) => {
  const values = startValues().get(type);
  ok(values, `${type} has no dialog`);
  // The test compares with what a flow file holds: plain JSON of this realm.
  return JSON.parse(JSON.stringify(values)) as Record<string, unknown>;
};

/** An expected request with what only the message gives, where the palette gives something else. */
function withOwn({ node, payload, body, ...rest }: ExpectedRequest): ExpectedRequest {
  if (node["type"] !== "call-out") return { node, payload, ...rest, ...(body && { body }) };
  const { answer_url: _, actions: __, ...fields } = body ?? {};
  const actions = [{ action: "talk", text: "Pump 3 stands still" }];
  return { node, payload: { ...payload, text: "Pump 3 stands still" }, ...rest, body: { ...fields, actions } };
}

describe("a node that was dropped from the palette", () => {
  const held = withTenant();

  for (const { type, ...shapes } of ACTIONS)
    for (const [name, field] of fieldsByMode(shapes).flatMap((fields) => Object.entries(fields)))
      if (!OWN[type]?.includes(name))
        it(`${type}: takes ${name} from the payload`, () => {
          const pair = pairOf(dropped(type), field.property ?? propertyName(name));
          deepStrictEqual(pair, { value: `payload.${name}`, type: "msg" });
        });

  for (const { type, lane } of ACTIONS)
    it(`${type}: ${lane ? "leaves the payload alone" : "puts the answer into the payload"}`, () => {
      deepStrictEqual(dropped(type)["target"], lane ? "-" : "payload");
    });

  for (const request of REQUESTS) {
    const { title, node, payload, method, path, body, data = null } = withOwn(request);
    it(`${title}: sends all that the message gives`, async () => {
      held.tenant.answers(() => ({ body: { ...ACCEPTED, data } }));
      await load(flowWith(held.tenant.url, { ...dropped(String(node["type"])), ...node, name: "", tenant: "t1" }));
      const { caught } = await play({ payload });
      deepStrictEqual(caught, []);
      const [received] = held.tenant.received;
      deepStrictEqual([received?.method, received?.url, received?.body], [method, path, body]);
    });
  }
});

describe("the message that the help shows", () => {
  const held = withTenant();
  const helpOf = (type: string) => `locales/en-US/help/${type}.md`;
  const messageOf = (type: string) => {
    const help = readFileSync(helpOf(type), "utf8");
    const [, json = ""] = /### A message\n\n```json\n(.*?)```/s.exec(help) ?? [];
    const shown = JSON.parse(json) as object;
    return "payload" in shown ? shown : { payload: shown };
  };

  // The default help shows none.
  const shown = NODES.filter(({ type }) => existsSync(helpOf(type)));
  for (const { type, kind } of shown.filter((node) => node.kind === "action" || node.kind === "escalation"))
    for (const [from, properties] of [
      ["the palette", () => dropped(type)],
      ["a flow file without properties", () => ({})],
    ] as const)
      it(`leads to a request of a ${type} node from ${from}`, async () => {
        const node = { ...properties(), id: "n1", type, tenant: "t1", wires: [["out"]] };
        await stage.load(stage.flowOf({ url: held.tenant.url, fromNumber: "0000000001" }, node));
        stage.give(messageOf(type));
        await stage.until(() => held.tenant.received.length + stage.seen.caught.length > 0, "a request or an error");
        ok(held.tenant.received.length > 0, JSON.stringify(stage.seen.caught[0]?.["error"]));
        // An incident would go on, and hold what belongs to the node.
        if (kind === "escalation") stage.give({ ...messageOf(type), acknowledge: true });
        await stage.until(() => stage.seen.out.length + stage.seen.caught.length > 0, "the end of the message");
      });
});
