import type { RunningTenant } from "../../runtime/tenants/tenants";
import { callsAddress } from "../panels/server/calls-address";
import { nodeOf } from "../panels/server/instances";
import { translate } from "../texts";

/** The page of a sandbox, in a frame of the sidebar. */
export class Frame {
  #shown = "";
  #frame: HTMLIFrameElement | undefined;
  /** Whether its page is not scrolled away from the phones that ring. */
  isInSight = true;
  #isSeen = false;

  /** @param changed called when phones that ring come into sight or go out of it */
  constructor(
    private readonly area: JQuery,
    changed: () => void,
  ) {
    const sight = (isInSight: boolean) => {
      this.isInSight = isInSight;
      changed();
    };
    follow(() => this.#frame?.contentWindow, { sight });
  }

  /**
   * Shows the page of a sandbox, or nothing. Does not reload a page that is already shown.
   * @param answer the call that the page answers if its phone still rings
   */
  show(tenant: RunningTenant | undefined, answer?: string): void {
    const theme = document.documentElement.classList.contains("nr-theme-dark") ? "dark" : "light";
    const page = tenant ? callsAddress(tenant.id, { lang: translate("language"), theme, ...zoneOf(tenant) }) : "";
    const address = page && answer !== undefined ? `${page}#answer=${encodeURIComponent(answer)}` : page;
    if (address === this.#shown) return;
    this.#shown = address;
    this.area.empty();
    this.#frame = undefined;
    this.isInSight = true;
    if (!tenant) return;
    // A new frame for each: a new address in the same one would become a step of the browser's history.
    const frame = $("<iframe>", { src: address, title: translate("tab.callsOf", { name: tenant.name }) });
    this.#frame = frame.on("load", () => this.see(this.#isSeen)).appendTo(this.area)[0] as HTMLIFrameElement;
  }

  /** Lets the page make requests only while somebody can see it. */
  see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#frame?.contentWindow?.postMessage({ telephony: isSeen ? "shown" : "hidden" }, location.origin);
  }
}

/** The page shows times in the tenant's time zone, or in that of the browser if the tenant has none. */
export function zoneOf({ timezone }: RunningTenant): { zone?: string } {
  return timezone ? { zone: timezone } : {};
}

/** The messages of a page; by default, one selects a node. */
interface Asked {
  readonly node?: (id: string) => void;
  /** Says whether a phone is in sight. */
  readonly sight?: (isInSight: boolean) => void;
  readonly leave?: () => void;
}

/** Follows the messages of a page, and of no other window. */
export function follow(page: () => Window | null | undefined, { node = revealNode, sight, leave }: Asked): void {
  window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (!source || source !== page() || origin !== location.origin) return;
    const { telephony, id, isInSight } = (data ?? {}) as Readonly<Record<string, unknown>>;
    if (telephony === "sight") sight?.(isInSight === true);
    if (telephony === "leave") leave?.();
    if (telephony === "node" && typeof id === "string") node(id);
  });
}

export function nodeLink(nodeId: string, text: string): JQuery {
  return $("<a>", { href: "#", text }).on("click", (event) => {
    event.preventDefault();
    revealNode(nodeId);
  });
}

/** Selects a node on the canvas, on any tab or subflow. */
export function revealNode(id: string): void {
  const node = nodeOf(id);
  if (!node) {
    RED.notify(translate("tab.noNode"), "warning");
    return;
  }
  RED.view.reveal(node.id);
  RED.view.select({ nodes: [node] });
}
