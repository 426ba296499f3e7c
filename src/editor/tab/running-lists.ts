import { joined } from "../../texts/catalogue";
import type { TenantCounts } from "../../workshop/admin/tenant-routes";
import { askFirst, iconButton } from "../panels/controls";
import { showResult } from "../panels/server/ask";
import { downloadTable, momentIn, stopList } from "../panels/server/lists";
import { translate } from "../texts";
import { nodeLink } from "./frame";

type Running = TenantCounts["lists"][number];

interface Row {
  readonly element: JQuery;
  readonly update: (list: Running | undefined) => void;
}

/**
 * The lists of a tenant, each with a bar, a button that stops it and one for its table. The last one of a node stays when it has
 * ended, until another one of that node begins.
 */
export class RunningLists {
  readonly #area: JQuery;
  readonly #rows = new Map<string, Row>();

  constructor(area: JQuery) {
    this.#area = $("<div>", { class: "telephony-tab-lists" }).appendTo(area);
  }

  show({ lists, zone }: Pick<TenantCounts, "lists" | "zone">): void {
    const ids = new Set(lists.map(({ list }) => list));
    const nodes = new Set(lists.map(({ nodeId }) => nodeId));
    for (const [key, row] of this.#rows) {
      const [id = "", nodeId = ""] = key.split(" ");
      if (ids.has(id)) continue;
      row.update(undefined);
      if (nodes.has(nodeId)) this.#remove(key);
    }
    for (const list of lists) {
      const key = `${list.list} ${list.nodeId}`;
      if (!this.#rows.has(key)) this.#rows.set(key, rowOf(list, zone, this.#area));
      this.#rows.get(key)?.update(list);
    }
  }

  forget(): void {
    for (const key of this.#rows.keys()) this.#remove(key);
  }

  #remove(key: string): void {
    this.#rows.get(key)?.element.remove();
    this.#rows.delete(key);
  }
}

/** A row is changed in its place, so that a question in it stays. */
function rowOf({ name, nodeId, total }: Running, zone: string, area: JQuery): Row {
  const element = $("<section>", { "aria-label": name }).appendTo(area);
  const line = $("<div>", { class: "telephony-line" }).appendTo(element);
  const link = nodeLink(nodeId, name);
  const bar = $("<progress>", { max: Math.max(1, total), value: 0, "aria-label": name });
  const state = $("<span>");
  const [asked, done] = [$("<div>", { role: "group" }), $("<p>", { role: "status" })];
  const refuse = (reason: string) => showResult(done, "wrong", reason);
  const stop = iconButton("fa-stop", translate("lists.stop"), () =>
    askFirst(asked, translate("lists.sure"), [translate("lists.keep"), translate("lists.stop")], () => {
      stopList(done, nodeId).then((count) => showResult(done, "fine", translate("lists.stopped", { count })), refuse);
    }),
  );
  const table = iconButton("fa-download", translate("lists.table"), () => void downloadTable(nodeId).catch(refuse));
  const mayWrite = RED.user.hasPermission("telephony-tenant.write");
  line.append(link, $("<span>").append(bar, ...(mayWrite ? [stop, table] : [])));
  element.append(state, asked, done);
  return {
    element,
    update(list) {
      if (list) bar.val(list.ended);
      state.text(list ? progressText(list, zone) : translate("lists.ended"));
      bar.add(stop).toggle(list !== undefined);
      if (!list) asked.empty();
    },
  };
}

function progressText({ ended, total, refused: count, until, heldBack }: Running, zone: string): string {
  const done = translate(count > 0 ? "callList.progressButFor" : "callList.progress", { ended, total, count });
  if (heldBack) return joined(translate, "pattern.also", [done, translate("tab.waits.for.held-back")]);
  return until === null ? done : translate("callList.until", { done, at: momentIn(until, zone) });
}
