import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { exampleNames } from "../support/process/examples";

/** A click on an Inject node, and the text that a Debug node then shows in the sidebar. */
type Step = readonly [inject: string, debug: string, text: RegExp];

/** What a user who has just imported an example sees, click by click. */
const STORIES: Readonly<Record<string, readonly Step[]>> = {
  "1 Hello": [["Call me", "Accepted", /action: "call-out", mode: "sandbox"/]],
  "After-hours transfer the caller to the night queue": [
    ["Try it on a Monday", "What was answered", /transferred: false/],
    ["Try it on a Sunday", "What was answered", /transferred: true/],
    ["Try it now", "What was answered", /accepted: true/],
  ],
  "2 Call a customer": [["Try it: Ada posts the form", "What was answered", /accepted: true/]],
  "Call a list from a CSV file": [
    ["Call the list", "Progress", /4 of 4: 3 accepted, 1 failed, 0 unknown/],
    ["Show the table now", "The table", /Ben,\+0000000000,accepted,/],
    ["Call nobody else", "Dropped", /paused: false/],
  ],
  "4 Call a list": [
    ["Call ten customers", "Accepted", /action: "call-out", mode: "sandbox"/],
    ["Pause", "How it stands", /paused: true/],
    ["Count", "How it stands", /paused: true/],
    ["Drop", "Failed or unknown", /ERR_DROPPED/],
    ["Resume", "How it stands", /paused: false/],
  ],
  "Call control by webhook": [
    ["Try a transfer", "What was answered", /accepted: true/],
    ["Try to listen in", "What was answered", /accepted: true/],
    ["Try to stop", "What was answered", /accepted: true/],
  ],
  "Campaign on several machines": [
    ["Call ten customers", "Accepted", /action: "call-out", mode: "sandbox"/],
    ["Pause", "How it stands", /paused: true/],
    ["Call ten customers", "Not called", /ERR_DUPLICATE/],
    ["Count", "How it stands", /paused: true/],
    ["Drop", "Not called", /ERR_DROPPED/],
    ["Resume", "How it stands", /paused: false/],
  ],
  "Check the tenant every night": [
    ["Every night at three", "How it is", /ok: true/],
    ["A wrong token", "What it said", /success: true/],
    ["Every night at three", "What to do", /ERR_AUTH/],
    ["Out of order", "What it said", /success: true/],
    ["Be well again", "What it said", /success: true/],
    ["Every night at three", "How it is", /ok: true/],
  ],
  "Copy a schedule to another tenant": [
    ["Copy number 1", "The new id", /newId: 3/],
    ["What the second tenant has", "All of them", /array\[3\]/],
  ],
  "Delete schedules by search, after asking": [
    ["Yes, delete them", "Refused", /Nothing was deleted/],
    ["Make two old ones", "Made", /Old winter hours/],
    ["Ask: which are “Old”?", "What would go", /wouldDelete: array\[2\]/],
    ["Yes, delete them", "Deleted", /Old winter hours/],
  ],
  "Holidays from a calendar": [
    ["At start, and every night at four", "What was fetched", /kept: true/],
    ["Try it now", "What the gate says", /We are /],
    ["Try it on New Year's Day", "What the gate says", /We are closed for New Year/],
    ["Try it in the monthly meeting", "What the gate says", /hours apply for the monthly meeting. We are closed/],
    ["Try it on another day", "What the gate says", /We are open/],
  ],
  "Last calls before closing": [
    ["Try it: a quarter to closing", "The team is told", /We are open until 17:30/],
    ["Try it: opening", "How it stands", /paused: false/],
    ["Call a customer", "Accepted", /200/],
  ],
  "Let a supervisor listen in": [
    ["Try it: user 12", "What was answered", /listening: false/],
    ["Try it: user 21", "What was answered", /listening: true/],
  ],
  "Node-RED is the answer address": [
    ["Try it: call Ada", "Accepted", /200/],
    ["Try it: the service asks", "What was answered", /actions: array\[1\]/],
  ],
  "3 Only call during business hours": [
    ["Try it on a Monday", "What was answered", /accepted: true, open: true/],
    ["Try it on a Sunday", "What was answered", /accepted: false, open: false/],
    ["Try it now", "What was answered", /open: /],
  ],
  // Whether anybody is called depends on the hour: the office of the sandbox is closed at night.
  "Remind of appointments": [
    ["Try it: Ada books", "Row by row", /outcome: "planned for/],
    ["Try it: Ada moves", "Row by row", /outcome: "planned for/],
    ["Try it: Ben books", "Row by row", /name: "Ben"/],
    ["Try it: Ada cancels", "Row by row", /outcome: "called off"/],
  ],
  "Ring the agent, then bring the customer in": [
    ["Try it: agent 12 answers", "What was answered", /joined: false/],
    ["Try it: Ada asks for a call", "What was answered", /accepted: true/],
    ["Try it: agent 12 answers", "What was answered", /joined: true/],
  ],
  "Tell callers when we open": [
    ["Try it on a Monday", "What was answered", /calledBack: false, open: true/],
    ["Try it on a Sunday", "What was answered", /calledBack: true, open: false/],
    ["Try it on New Year's Day", "What was answered", /calledBack: true, open: false/],
    ["Try it now", "What was answered", /calledBack: /],
  ],
  "The same hours in every branch": [
    ["What would change?", "The plan", /message: "Hanoi: replace, Hue/],
    ["Make it so", "What was done", /message: "Hanoi: replace, Hue/],
    ["Hue deletes its hours", "Deleted", /name: "Office"/],
    ["What would change?", "The plan", /message: "Hanoi: none, Hue: create/],
  ],
  "Try again when that is safe": [
    ["Busy twice", "What it said", /success: true/],
    ["Call Ada", "Accepted", /mode: "sandbox"/],
    ["Broken once", "What it said", /success: true/],
    ["Call Ada", "Given up", /ERR_SERVER/],
    ["Busy for long", "What it said", /success: true/],
    ["Be well again", "What it said", /success: true/],
  ],
  "5 Wake somebody": [
    ["Try it: an alarm", "What was answered", /accepted: true/],
    ["Try it: Ben has it", "How it ended", /acknowledgedBy: "Ben"/],
  ],
  "What does my phone system send": [
    ["Try it: something comes in", "What came in", /example-call/],
    ["Stop the call seen last", "Stopped", /action: "call-stop"/],
  ],
};

describe("The examples, imported one beside the other", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);

  it("have a story each", () => {
    for (const name of exampleNames) {
      assert.ok(STORIES[name], `STORIES in this test does not say what a click in "${name}" shows: add it there`);
    }
  });

  for (const name of exampleNames) {
    describe(name, () => {
      const story = STORIES[name] ?? [];
      let imported: ImportedExample;

      before(async () => {
        imported = await ImportedExample.from(editor, name);
      });

      it("has no node that is unknown or has a red triangle", async () => {
        const nodes = await imported.nodes();
        assert.ok(nodes.some(({ type }) => type === "telephony-tenant"));
        const marked = nodes.filter(({ type, problems }) => type === "unknown" || problems.length > 0);
        assert.deepEqual(
          marked.map(({ type, name, problems }) => ({ type, name, problems })),
          [],
        );
      });

      it("has a badge on each node that asks for a secret or a change, in Node-RED 5", async () => {
        if ((await editor.version()) < 5) return;
        const [asking, shown] = await editor.page.evaluate<[string[], string[]]>(`(() => {
          const nodes = RED.nodes.filterNodes({ z: ${JSON.stringify(imported.tab)} }).filter(({ type }) => type !== "comment");
          const asks = ({ type, info = "", rules }) =>
            /^(Change this|Your secret here):/.test(info) ||
            (type === "switch" && JSON.stringify(rules).includes("CALL_SECRET"));
          const hasBadge = ({ id }) => $(document.getElementById(id)).find(".red-ui-flow-node-docs").is(":visible");
          return [nodes.filter(asks), nodes.filter(hasBadge)].map((each) => each.map(({ name }) => name));
        })()`);
        assert.deepEqual(shown, asking);
      });

      it("is drawn without overlaps", async () => {
        const [nodes, groups, wires] = [await imported.nodes(), await imported.groups(), await imported.wires()];
        const drawn = nodes.filter(({ type }) => type !== "telephony-tenant");
        for (const boxes of [drawn, groups]) {
          boxes.forEach((one, index) => {
            const hit = boxes.slice(index + 1).find((other) => {
              const isBeside = one.right <= other.left || other.right <= one.left;
              return !isBeside && one.top < other.bottom && other.top < one.bottom;
            });
            assert.equal(hit?.name, undefined, `overlaps "${one.name}"`);
          });
        }
        assert.ok(wires.length > 0);
        for (const { from, to, points } of wires) {
          const hidden = drawn.find(
            ({ id, left, right, top, bottom }) =>
              id !== from && id !== to && points.some(([x, y]) => left < x && x < right && top < y && y < bottom),
          );
          assert.equal(
            hidden?.name,
            undefined,
            `a wire to "${drawn.find(({ id }) => id === to)?.name}" runs behind it`,
          );
        }
      });

      it("has room in its groups for the statuses of its nodes, under no other node", async () => {
        const [nodes, groups] = [await imported.nodes(), await imported.groups()];
        for (const status of await imported.statuses()) {
          const group = groups.find(({ left, right, top, bottom }) => {
            const isWide = left <= status.left && status.right <= right;
            return isWide && top <= status.top && status.bottom <= bottom;
          });
          assert.ok(group, `The status of "${status.name}" sticks out`);
          const hit = nodes.find(({ left, right, top, bottom }) => {
            const isBeside = right <= status.left || status.right <= left;
            return !isBeside && top < status.bottom && status.top < bottom;
          });
          assert.equal(hit?.name, undefined, `is in the way of the status of "${status.name}"`);
        }
      });

      it("shows the right result for a click on each of its Inject nodes", async () => {
        const buttons = (await imported.nodes()).filter(({ type }) => type === "inject").map(({ name }) => name);
        assert.deepEqual(
          [...new Set(story.map(([inject]) => inject))].sort(),
          buttons.sort(),
          `STORIES in this test must have a click for each Inject node of "${name}"`,
        );
        await editor.deploy();
        for (const [inject, debug, text] of story) await imported.shows(inject, debug, text);
      });
    });
  }
});
