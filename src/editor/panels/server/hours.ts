import type { Preview } from "../../../workshop/admin/preview/answer";
import { rowOf } from "../../inputs/input";
import { weekOf } from "../week/week";
import { drawWeek, markWeek } from "../week/week-picture";
import { followPreview, showLine } from "./preview";

/**
 * Shows what the gate would decide, now or at an instant that the user picks, while its dialog is filled in.
 * @returns a function that asks again
 */
export function previewGate(node: EditorNode): () => void {
  const verdict = $("#telephony-verdict");
  const picture = $("#telephony-verdict-week");
  const zone = $("<p>", { class: "telephony-warning", id: "telephony-zone-note", role: "status" }).hide();
  zone.appendTo(rowOf($("#node-input-timezone")));
  const areas = { verdict, next: $("#telephony-next"), sentence: $("#telephony-sentence"), zone };
  const update = followPreview(node, {
    what: "gate",
    area: verdict,
    more: () => ({ at: $("#telephony-instant").val() }),
    show({ lines, week }) {
      for (const [name, area] of Object.entries(areas))
        showLine(
          area,
          lines.find(({ at = "verdict" }) => at === name),
        );
      // The week of the dialog itself is drawn beside its times.
      const isDrawn = week !== undefined && $("#node-input-source").val() !== "value";
      picture.toggle(isDrawn);
      if (isDrawn) drawWeek(picture, weekOf(week.days));
      markWeek(isDrawn ? picture : $("#telephony-own .telephony-picture"), week);
    },
  });
  update();
  return () => update(true);
}

/**
 * Shows below the exceptions what there is: how many, and the next one.
 * @param onFetched called when the server has fetched an address that was typed
 */
export function showHolidays(node: EditorNode, property: string, onFetched: () => void = () => {}): void {
  const area = $("<p>", { class: "telephony-hint", id: `telephony-${property}-holidays`, role: "status" });
  area.hide().appendTo(rowOf($(`#telephony-${property}`)));
  let isFetching: boolean | undefined;
  const show = ({ lines, canFetch }: Preview) => {
    showLine(area, lines[0]);
    if (isFetching && !canFetch) onFetched();
    isFetching = canFetch;
  };
  followPreview(node, { what: "holidays", area, more: () => ({ property }), show })();
}
