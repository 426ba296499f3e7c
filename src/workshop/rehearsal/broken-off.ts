import { oneLine } from "../../fields/quote";
import { formatInstant } from "../../hours";
import { resource } from "../../page/document";
import type { Texts } from "../../texts";
import { joined } from "../../texts/catalogue";
import type { Ended } from "./boundary";
import type { Recording } from "./make-report";
import type { Prepared } from "./prepare";

export type Key = keyof (Texts["rehearsalPage"] & Texts["pattern"] & Texts["tab"]["waits"]["for"]);

/** The texts of a report by the two letters of their language. */
export const TEXTS = JSON.parse(resource("rehearsal.json")) as Readonly<Record<string, Readonly<Record<Key, string>>>>;

/**
 * Explains why, after which event, at which node, and what can be done.
 * @returns writes it with the texts of a language
 */
export function whyBrokenOff({ by, code }: Ended, recording: Recording, { names, zone }: Prepared, limit: number) {
  // A process that is ended for its events has gone on meanwhile.
  const isBehind = by === "too many events" || by === "foreign event";
  const at = formatInstant(isBehind ? recording.lastAt : recording.lastActAt, zone);
  const reached = formatInstant(recording.at, zone);
  const isStuck = by === "limit" && Date.now() - recording.toldAt > 2000;
  const named = (id: string) => oneLine(names.nameOf(id));
  const { receivedBy = "", busiest = "", most = 0 } = recording.head ?? {};
  const [circle] = recording.all("circle");
  const { message: broken = "" } = recording.all("broken")[0] ?? {};
  return (text: (key: Key, params?: Readonly<Record<string, unknown>>) => string): string => {
    const sentences = (...all: readonly string[]) => joined(text, "sentences", all.filter(Boolean));
    const withLast = (key: Key, params: object) =>
      sentences(text(key, { at, ...params }), receivedBy && text("endedLast", { node: named(receivedBy) }));
    if (by === "signal") return text("endedStopped", { at: reached });
    if (by === "memory" || /^RangeError: memory/.test(broken)) return withLast("endedMemory", {});
    if (by === "system") return withLast("endedSystem", {});
    if (by === "folder") return withLast("endedFolder", {});
    if (by === "too many events") {
      const [node, times] = recording.mostOf();
      const most = node && text("endedEventsMost", { node: named(node), times });
      return sentences(text("endedEvents", { at }), most, text("endedEventsTodo"));
    }
    if (by === "foreign event") return text("endedForeign", { at });
    if (isStuck) return withLast("endedStuck", { limit });
    if (by === "limit") {
      const messages = busiest && text("endedLimitMost", { node: named(busiest), most, last: named(receivedBy) });
      return sentences(text("endedLimit", { at: reached, limit }), messages, text("endedLimitTodo"));
    }
    if (circle) return text("endedCircle", { at, node: named(circle.nodeId), times: circle.times });
    if (broken !== "") return withLast("endedError", { error: oneLine(broken) });
    return withLast("endedExit", { code: recording.all("exit")[0]?.code ?? code });
  };
}
