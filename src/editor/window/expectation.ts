import { joined, line } from "../../texts/catalogue";
import type { Expectation } from "../../workshop/admin/rehearsal/rehearsal-routes";
import type { RehearsalState } from "../../workshop/admin/rehearsal/rehearsals";
import { translate } from "../texts";

type Check = NonNullable<RehearsalState["tests"]>[number]["checks"][number];

export function expectedText(entry: Expectation): string {
  if ("call" in entry) {
    const said = [entry.says ?? [], entry.saysExactly ?? []].flat().map(quoted);
    return line(entry.call, ...said, entry.voice, entry.between?.join("–"), entry.at, timesOf(entry));
  }
  if ("request" in entry) return line(entry.request, entry.target, timesOf(entry));
  if ("notPlaced" in entry) return line(entry.notPlaced, translate("rehearse.notPlaced"), entry.code);
  if ("reaches" in entry) return line(translate("rehearse.reaches", { node: entry.reaches }), timesOf(entry));
  if ("nobodyElse" in entry) return translate("rehearse.nobodyElse");
  const name = translate("rehearse.response", { number: entry.response });
  return translate("pattern.named", { name, text: line(entry.status, entry.body && quoted(entry.body)) });
}

/** Shows what was expected and found, side by side, of each check that failed. */
export function compared(checks: readonly Check[], then: readonly Expectation[]): JQuery[] {
  const failed = checks.flatMap(({ isGreen, found }, index) => (isGreen ? [] : [{ found, entry: then[index] }]));
  return failed.map(({ entry, found }) =>
    $("<dl>", { class: "telephony-compared" }).append(
      $("<div>").append(
        $("<dt>", { text: translate("rehearse.expected") }),
        $("<dd>", { text: entry ? expectedText(entry) : "" }),
      ),
      $("<div>").append($("<dt>", { text: translate("rehearse.found") }), $("<dd>", { text: foundText(found) })),
    ),
  );
}

/** Writes what was found, with instants down to the minute. */
function foundText(found: readonly string[]): string {
  const plain = found.map((each) => each.replace(/^(\S{10})T(\d\d:\d\d)\S*/, "$1 $2"));
  return joined(translate, "pattern.also", plain) || "–";
}

function timesOf({ times }: { readonly times?: number }): string | undefined {
  return times === undefined ? undefined : `× ${times}`;
}

function quoted(text: string): string {
  return translate("pattern.quoted", { text });
}
