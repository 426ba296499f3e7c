import { timeText } from "../../client/queue/trouble-text";
import { joined } from "../../texts/catalogue";
import type { TodaysCalls } from "../../workshop/admin/tenant-routes";
import { ask } from "../panels/server/ask";
import { labelIn, nodeOf } from "../panels/server/instances";
import { translate } from "../texts";
import { labelIn as fieldLabel } from "../validate/problem";
import { nodeLink } from "./frame";

type NotPlaced = TodaysCalls["notPlaced"][number];
type Outcomes = TodaysCalls["nodes"][number]["outcomes"];

/** Rules of a guard that have a sentence of their own. */
const RULES = ["allow", "block", "opt-out", "unreadable"] as const;

const NONE: Outcomes = { applied: 0, rejected: 0, unknown: 0, "not-applied": 0 };
/** In the order in which they are named. */
const OUTCOMES = Object.keys(NONE) as (keyof Outcomes)[];

/** The calls of a tenant today: their outcomes, by node, and those that were not placed. */
export class Today {
  readonly #fold: JQuery;
  #shown = "";

  constructor(area: JQuery) {
    this.#fold = $("<details>", { class: "telephony-today" }).appendTo(area).hide();
  }

  forget(isOpen: boolean): void {
    this.#shown = "";
    this.#fold.empty().hide().prop("open", isOpen);
  }

  /** Reads it anew. Never rejects: the state of the tenant says that Node-RED cannot be reached. */
  refresh(tenant: string): Promise<void> {
    const address = `telephony/tenant/${encodeURIComponent(tenant)}/today`;
    return ask<TodaysCalls>(this.#fold, address).then(
      (answer) => this.#show(answer),
      () => {},
    );
  }

  #show({ since, zone, nodes, notPlaced }: TodaysCalls): void {
    const shown = JSON.stringify([since, nodes, notPlaced]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const at = (instant: number) => timeText(translate, instant, zone || undefined);
    const text = countsText(sumOf(nodes.map(({ outcomes }) => outcomes)));
    const byNode = nodes.map(({ nodeId, outcomes }) =>
      $("<li>").append(nodeLink(nodeId, labelIn(nodeId, "–")), $("<span>", { text: countsText(outcomes) })),
    );
    const rows = notPlaced.map((call) =>
      $("<li>").append(
        $("<b>", { text: at(call.at) }),
        $("<span>", { text: call.number ?? "–" }),
        nodeLink(call.nodeId, labelIn(call.nodeId, "–")),
        $("<span>", { text: reasonText(call), title: call.code }),
      ),
    );
    const heading =
      rows.length > 0 ? [$("<h5>", { text: translate("tab.today.notPlaced") }), $("<ol>").append(...rows)] : [];
    const start = since === null ? [] : [$("<p>", { text: translate("tab.today.since", { time: at(since) }) })];
    // The line that somebody has the focus on stays.
    if (this.#fold.is(":empty")) this.#fold.append($("<summary>"));
    const summary = this.#fold.children("summary");
    summary
      .text(translate("pattern.named", { name: translate("tab.today.title"), text }))
      .nextAll()
      .remove();
    this.#fold.append(...start, $("<ul>").append(...byNode), ...heading).show();
  }
}

function sumOf(all: readonly Outcomes[]): Outcomes {
  const sum = { ...NONE };
  for (const outcomes of all) for (const outcome of OUTCOMES) sum[outcome] += outcomes[outcome];
  return sum;
}

/** Names only outcomes that there are. */
function countsText(outcomes: Outcomes): string {
  const some = OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  const texts = some.map((outcome) => translate(`tab.today.${outcome}`, { count: outcomes[outcome] }));
  return texts.length > 0 ? joined(translate, "pattern.also", texts) : translate("tab.today.none");
}

function reasonText({ nodeId, key, params, detail }: NotPlaced): string {
  const rule = RULES.find((each) => each === detail);
  if (rule) return translate(`guard.${rule}`);
  const text = translate(`status.${key}`, params);
  const node = nodeOf(nodeId);
  if (detail === null || key === "ERR_BLOCKED") return text;
  return translate("pattern.aside", { text, aside: node ? fieldLabel(node, detail) : detail });
}
