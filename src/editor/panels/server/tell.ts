const ICONS = {
  hint: "fa-info-circle",
  busy: "fa-spinner fa-spin",
  fine: "fa-check",
  wrong: "fa-exclamation-triangle",
};

/** Says in a line of the dialog how something ended, or that it is under way. */
export function tell(line: JQuery, how: keyof typeof ICONS, text: string): void {
  line.toggleClass("telephony-problem", how === "wrong").toggleClass("telephony-fine", how === "fine");
  line
    .empty()
    .append($("<i>", { class: `fa ${ICONS[how]}`, "aria-hidden": "true" }), document.createTextNode(` ${text}`));
}
