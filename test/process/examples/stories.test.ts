import assert from "node:assert/strict";
import { ExampleStage } from "../../support/process/example-stage";
import { exampleNames } from "../../support/process/examples";
import type { FlowNode } from "../../support/process/node-red";

/** A click on an Inject node, and the text that a Debug node then shows. */
type Step = readonly [inject: string, debug: string, text: RegExp];

/** What a user who has just imported an example sees, click by click. */
const STORIES: Readonly<Record<string, readonly Step[]>> = {
  "1 Hello": [["Call me", "Accepted", /action:\s+'call-out',\s+mode:\s+'sandbox'/]],
  "After-hours transfer the caller to the night queue": [
    ["Try it on a Monday", "What was answered", /transferred:\s+false/],
    ["Try it on a Sunday", "What was answered", /transferred:\s+true/],
    ["Try it now", "What was answered", /accepted:\s+true/],
  ],
  "2 Call a customer": [["Try it: Ada posts the form", "What was answered", /accepted:\s+true/]],
  "Call a list from a CSV file": [
    ["Call the list", "Progress", /4\s+of\s+4:\s+3\s+accepted,\s+1\s+failed,\s+0\s+unknown/],
    ["Show the table now", "The table", /Ben,\+0000000000,accepted,/],
    ["Call nobody else", "Dropped", /paused:\s+false/],
  ],
  "4 Call a list": [
    ["Call ten customers", "Accepted", /action:\s+'call-out',\s+mode:\s+'sandbox'/],
    ["Pause", "How it stands", /paused:\s+true/],
    ["Count", "How it stands", /paused:\s+true/],
    ["Drop", "Failed or unknown", /ERR_DROPPED/],
    ["Resume", "How it stands", /paused:\s+false/],
  ],
  "Call control by webhook": [
    ["Try a transfer", "What was answered", /accepted:\s+true/],
    ["Try to listen in", "What was answered", /accepted:\s+true/],
    ["Try to stop", "What was answered", /accepted:\s+true/],
  ],
  "Campaign on several machines": [
    ["Call ten customers", "Accepted", /action:\s+'call-out',\s+mode:\s+'sandbox'/],
    ["Pause", "How it stands", /paused:\s+true/],
    ["Call ten customers", "Not called", /ERR_DUPLICATE/],
    ["Count", "How it stands", /paused:\s+true/],
    ["Drop", "Not called", /ERR_DROPPED/],
    ["Resume", "How it stands", /paused:\s+false/],
  ],
  "Check the tenant every night": [
    ["Every night at three", "How it is", /ok:\s+true/],
    ["A wrong token", "What it said", /success:\s+true/],
    ["Every night at three", "What to do", /ERR_AUTH/],
    ["Out of order", "What it said", /success:\s+true/],
    ["Be well again", "What it said", /success:\s+true/],
    ["Every night at three", "How it is", /ok:\s+true/],
  ],
  "Copy a schedule to another tenant": [
    ["Copy number 1", "The new id", /newId:\s+3/],
    ["What the second tenant has", "All of them", /id:\s+3,\s+name:\s+'Office'/],
  ],
  "Delete schedules by search, after asking": [
    ["Yes, delete them", "Refused", /Nothing\s+was\s+deleted/],
    ["Make two old ones", "Made", /Old\s+winter\s+hours/],
    ["Ask: which are “Old”?", "What would go", /wouldDelete:\s+\[[^\]]*Old winter hours/],
    ["Yes, delete them", "Deleted", /Old\s+winter\s+hours/],
  ],
  "Holidays from a calendar": [
    ["At start, and every night at four", "What was fetched", /kept:\s+true/],
    ["Try it now", "What the gate says", /We\s+are\s+/],
    ["Try it on New Year's Day", "What the gate says", /We\s+are\s+closed\s+for\s+New\s+Year/],
    [
      "Try it in the monthly meeting",
      "What the gate says",
      /hours\s+apply\s+for\s+the\s+monthly\s+meeting.\s+We\s+are\s+closed/,
    ],
    ["Try it on another day", "What the gate says", /We\s+are\s+open/],
  ],
  "Last calls before closing": [
    ["Try it: a quarter to closing", "The team is told", /We\s+are\s+open\s+until\s+17:30/],
    ["Try it: opening", "How it stands", /paused:\s+false/],
    ["Call a customer", "Accepted", /200/],
  ],
  "Let a supervisor listen in": [
    ["Try it: user 12", "What was answered", /listening:\s+false/],
    ["Try it: user 21", "What was answered", /listening:\s+true/],
  ],
  "Node-RED is the answer address": [
    ["Try it: call Ada", "Accepted", /200/],
    ["Try it: the service asks", "What was answered", /Hello Ada, your order is ready/],
  ],
  "3 Only call during business hours": [
    ["Try it on a Monday", "What was answered", /accepted:\s+true,\s+open:\s+true/],
    ["Try it on a Sunday", "What was answered", /accepted:\s+false,\s+open:\s+false/],
    ["Try it now", "What was answered", /open:\s+/],
  ],
  // Whether anybody is called depends on the hour: the office of the sandbox is closed at night.
  "Remind of appointments": [
    ["Try it: Ada books", "Row by row", /outcome:\s+'planned\s+for/],
    ["Try it: Ada moves", "Row by row", /outcome:\s+'planned\s+for/],
    ["Try it: Ben books", "Row by row", /name:\s+'Ben'/],
    ["Try it: Ada cancels", "Row by row", /outcome:\s+'called\s+off'/],
  ],
  "Ring the agent, then bring the customer in": [
    ["Try it: agent 12 answers", "What was answered", /joined:\s+false/],
    ["Try it: Ada asks for a call", "What was answered", /accepted:\s+true/],
    ["Try it: agent 12 answers", "What was answered", /joined:\s+true/],
  ],
  "Tell callers when we open": [
    ["Try it on a Monday", "What was answered", /calledBack:\s+false,\s+open:\s+true/],
    ["Try it on a Sunday", "What was answered", /calledBack:\s+true,\s+open:\s+false/],
    ["Try it on New Year's Day", "What was answered", /calledBack:\s+true,\s+open:\s+false/],
    ["Try it now", "What was answered", /calledBack:\s+/],
  ],
  "The same hours in every branch": [
    ["What would change?", "The plan", /message:\s+'Hanoi:\s+replace,\s+Hue/],
    ["Make it so", "What was done", /message:\s+'Hanoi:\s+replace,\s+Hue/],
    ["Hue deletes its hours", "Deleted", /name:\s+'Office'/],
    ["What would change?", "The plan", /message:\s+'Hanoi:\s+none,\s+Hue:\s+create/],
  ],
  "Try again when that is safe": [
    ["Busy twice", "What it said", /success:\s+true/],
    ["Call Ada", "Accepted", /mode:\s+'sandbox'/],
    ["Broken once", "What it said", /success:\s+true/],
    ["Call Ada", "Given up", /ERR_SERVER/],
    ["Busy for long", "What it said", /success:\s+true/],
    ["Be well again", "What it said", /success:\s+true/],
  ],
  "5 Wake somebody": [
    ["Try it: an alarm", "What was answered", /accepted:\s+true/],
    ["Try it: Ben has it", "How it ended", /acknowledgedBy:\s+'Ben'/],
  ],
  "What does my phone system send": [
    ["Try it: something comes in", "What came in", /example-call/],
    ["Stop the call seen last", "Stopped", /action:\s+'call-stop'/],
  ],
};

const SHORT_PAUSE = { pauseType: "delay", timeout: "10", timeoutUnits: "milliseconds" };

describe("An example that has just been imported", () => {
  const stage = new ExampleStage();

  for (const name of exampleNames)
    it(`shows the right result for a click on each of its Inject nodes: ${name}`, async () => {
      const story = STORIES[name];
      assert.ok(story, `STORIES in this test does not say what a click in "${name}" shows: add it there`);
      const drops = story.some(([inject]) => inject === "Drop");
      // Nobody waits for a pause; but where calls are dropped, some must still wait.
      const pace = (node: FlowNode) => {
        if (node.type === "telephony-tenant") return { ...node, rate: drops ? "0.01" : "100" };
        return node.type === "delay" ? { ...node, ...SHORT_PAUSE } : node;
      };
      await stage.show(name, undefined, pace);
      const clicked = new Set(story.map(([inject]) => inject));
      // What runs at each start needs no click.
      const injects = stage.shown.flows.filter(({ type }) => type === "inject");
      const buttons = injects.filter(({ once, name: button }) => once !== true || clicked.has(String(button)));
      assert.deepEqual(
        [...clicked].sort(),
        buttons.map((node) => String(node["name"])).sort(),
        `STORIES in this test must have a click for each Inject node of "${name}"`,
      );
      for (const [inject, debug, text] of story)
        await stage.shows(inject, new RegExp(`\\[debug:${debug}\\](?:(?!\\[debug:).)*?${text.source}`, "s"));
    });
});
