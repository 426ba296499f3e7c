import type { RingingView } from "../../sandbox/inspect/view";
import { translate } from "../texts";

/** The buttons of the tab in a sidebar: Node-RED 5, and Node-RED 4. */
const BUTTONS = '[data-tab-id="telephony"], #red-ui-tab-telephony-link-button';

/** Node-RED 4 has the tabs for which it has no room in a menu. */
const MENU = ".red-ui-tab-link-button-menu";

/** Says wherever somebody is in the editor that the phone of a sandbox rings: on the tab's icon, and once in a notification. */
export class Ringing {
  readonly #counts = new Map<string, number>();
  readonly #answer: (tenant: string, callId: string) => void;
  readonly #isShown: (tenant: string) => boolean;
  readonly #changed: () => void;
  #notification: Notification | undefined;
  /** The call in the notification, or the last one that was. */
  #announced: string | undefined;

  /** @param isShown whether the page of a sandbox is on the screen, where its phones ring anyway */
  constructor(
    isShown: (tenant: string) => boolean,
    answer: (tenant: string, callId: string) => void,
    changed: () => void,
  ) {
    this.#isShown = isShown;
    this.#answer = answer;
    this.#changed = changed;
    RED.comms.subscribe("telephony/ringing", (_, data) => {
      const { id, ringing } = data as { readonly id: string; readonly ringing: number };
      this.#update(id, ringing);
    });
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
    this.#changed();
    if (all === 0) this.close();
    else if (count > 0 && !this.#isShown(tenant)) void this.#announce(tenant);
  }

  close(): void {
    this.#notification?.close();
    this.#notification = undefined;
  }

  async #announce(tenant: string): Promise<void> {
    const url = `telephony/sandbox/${encodeURIComponent(tenant)}/ringing`;
    const { calls } = await ($.ajax({ url, dataType: "json" }) as PromiseLike<RingingView>);
    const [call] = calls;
    if (!call || call.callId === this.#announced || this.#isShown(tenant)) return;
    this.#announced = call.callId;
    this.close();
    const answer = () => {
      this.close();
      this.#answer(tenant, call.callId);
    };
    this.#notification = RED.notify($("<span>", { text: `☎ ${translate("tab.rings", { name: call.to })}` }), {
      type: "success",
      fixed: true,
      buttons: [
        { text: RED._("common.label.close"), click: () => this.close() },
        { text: translate("tab.answer"), class: "primary", click: answer },
      ],
    });
  }
}
