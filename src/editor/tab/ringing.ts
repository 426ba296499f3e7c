import type { RingingView } from "../../sandbox/inspect/view";
import { translate } from "../texts";
import { deployedTenants } from "./tenants";

/** The buttons of the tab in a sidebar: Node-RED 5, and Node-RED 4. */
export const BUTTONS = '[data-tab-id="telephony"], #red-ui-tab-telephony-link-button';

/** Node-RED 4 has the tabs for which it has no room in a menu. */
const MENU = ".red-ui-tab-link-button-menu";

/** The part of the tab that the ringing phones use. */
interface RingingTab {
  /** Whether the page of a sandbox is on the screen, where its phones ring anyway. */
  isShown(tenant: string): boolean;
  answer(tenant: string, callId: string): void;
  changed(): void;
}

type RingingCall = RingingView["calls"][number] & { readonly tenant: string; readonly key: string };

/** Says wherever somebody is in the editor that the phone of a sandbox rings: on the tab's icon, and in a notification. */
export class Ringing {
  readonly #counts = new Map<string, number>();
  readonly #dismissed = new Set<string>();
  #notification: JQuery | undefined;
  #turn = 0;

  constructor(private readonly tab: RingingTab) {
    RED.comms.subscribe("telephony/ringing", (_, data) => {
      const { id, ringing } = data as { readonly id: string; readonly ringing: number };
      this.#update(id, ringing);
    });
    // A dialog opens or closes.
    for (const event of ["toggle", "close"]) document.addEventListener(event, () => void this.check(), true);
  }

  isRinging(tenant: string): boolean {
    return (this.#counts.get(tenant) ?? 0) > 0;
  }

  #update(tenant: string, count: number): void {
    this.#counts.set(tenant, count);
    const all = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    $("[data-telephony-rings]").removeAttr("data-telephony-rings");
    const button = $(BUTTONS).filter(":visible");
    if (all > 0) (button.length > 0 ? button : $(MENU)).attr("data-telephony-rings", all);
    else this.#dismissed.clear();
    this.tab.changed();
    void this.check();
  }

  /** Shows or hides the notification. Call when a page comes into sight or goes out of it. */
  async check(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const unseen = [...this.#counts.keys()].filter((tenant) => this.isRinging(tenant) && !this.tab.isShown(tenant));
    const calls = (await Promise.all(unseen.map(callsOf))).flat();
    if (turn === this.#turn) this.#show(calls.find(({ key }) => !this.#dismissed.has(key)));
  }

  /** Shows our own notification of a call: Node-RED 5 gives its own the focus if it has buttons, and it may cover those of a dialog. */
  #show(call?: RingingCall): void {
    // Nothing outside of a modal dialog can be clicked.
    const area = $("dialog[open], #red-ui-editor").last();
    const shown = this.#notification;
    if (call && shown?.data("key") === call.key && shown.parent().is(area)) return;
    shown?.remove();
    this.#notification = undefined;
    if (!call) return;
    const button = (text: string, look: string, then: () => void) =>
      $("<button>", { type: "button", class: look, text }).on("click", () => {
        this.#dismissed.add(call.key);
        this.#show();
        then();
      });
    const sandbox = deployedTenants().find(({ id }) => id === call.tenant)?.name ?? "";
    const text = `☎ ${translate("tab.rings", { name: call.to, sandbox })}`;
    const look = "red-ui-notification red-ui-notification-success telephony-rings";
    this.#notification = $("<div>", { class: look, role: "alert" })
      .data("key", call.key)
      .append($("<span>", { text, title: text }))
      .append(button(RED._("common.label.close"), "red-ui-button", () => void this.check()))
      .append(button(translate("tab.answer"), "telephony-answer", () => this.tab.answer(call.tenant, call.callId)))
      .appendTo(area);
  }
}

async function callsOf(tenant: string): Promise<RingingCall[]> {
  const url = `telephony/sandbox/${encodeURIComponent(tenant)}/ringing`;
  const { calls } = await ($.ajax({ url, dataType: "json" }) as PromiseLike<RingingView>);
  // Sandboxes number their calls alike.
  return calls.map((call) => ({ ...call, tenant, key: `${tenant} ${call.callId}` }));
}
