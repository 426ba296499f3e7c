import type { Command } from "../../../runtime/nodes/control/command";
import { joined } from "../../../texts/catalogue";
import type { TenantCounts } from "../../../workshop/admin/tenant-routes";
import { translate } from "../../texts";
import { askFirst } from "../controls";
import { showResult } from "./ask";
import { askCounts, heldBackOf, holdsIn, stateText, sureText } from "./counts";

/**
 * Shows how many messages wait for a deployed tenant, and makes the buttons pause, resume and drop them.
 * @param onCounts called with each answer of the tenant
 */
export function prepareControl(node: EditorNode, onCounts: (counts: TenantCounts) => void): void {
  const state = $("#telephony-state");
  const hold = $("#telephony-hold");
  const release = $("#telephony-release").hide();
  const drop = $("#telephony-drop");
  const mayCommand = RED.user.hasPermission("telephony-tenant.write");
  const enable = (isRunning: boolean) =>
    hold
      .add(release)
      .add(drop)
      .prop("disabled", !(isRunning && mayCommand));
  enable(true);
  let paused = false;
  let dated = 0;
  hold.on("click", () => void run(paused ? "resume" : "pause"));
  release.on("click", () => void run("resume"));
  $("#telephony-count").on("click", () => void run("count"));
  drop.on("click", () => {
    drop.attr("aria-expanded", "true");
    const answers = [translate("control.keep"), translate("control.dropNow")] as const;
    askFirst(
      $("#telephony-sure"),
      sureText(dated),
      answers,
      () => void run("drop"),
      () => drop.attr("aria-expanded", "false").trigger("focus"),
    );
  });
  void run("count");
  return;

  async function run(command: Command): Promise<void> {
    showResult(state, "busy", state.text().trim());
    const answer = await askCounts(state, node.id, command === "count" ? undefined : { command }).catch(String);
    // Only the tenant itself says that it does not run; without its answer, another try may succeed.
    if (state.data("request").state() === "resolved") enable(typeof answer === "object");
    if (typeof answer === "string") return showResult(state, "wrong", answer);
    onCounts(answer);
    ({ paused, dated } = answer);
    // A pause needs no second button: resuming ends a hold, too, and lets go what is held back.
    release.toggle((holdsIn(answer).has("trouble") || heldBackOf(answer) > 0) && !paused);
    hold.find("span").text(translate(paused ? "control.resume" : "control.pause"));
    hold.find("i").toggleClass("fa-pause", !paused).toggleClass("fa-play", paused);
    const dropped = command === "drop" ? [translate("control.dropped", { count: answer.dropped })] : [];
    const text = joined(translate, "pattern.beside", [...dropped, stateText(answer)]);
    state.removeClass("telephony-problem telephony-fine").text(text);
  }
}
