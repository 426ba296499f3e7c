import type { RunningTenant } from "../../runtime/tenants/tenants";
import { callsAddress } from "../panels/server/calls-address";
import { translate } from "../texts";
import { RehearsalWindow } from "../window/window";
import { Frame, zoneOf } from "./frame";
import { followNeeds, needsOf, showNeeds } from "./needs-you";
import { Ringing } from "./ringing";
import { TenantPanels } from "./tenant-panels";
import { deployedTenants, followTenants } from "./tenants";

const ID = "telephony";
const SHOW = "telephony:show-calls";

let isAdded = false;

// Node-RED has loaded the texts of the set when its first type is added. Enabling a disabled set adds its types again.
RED.events.on("registry:node-type-added", (type) => {
  if (isAdded || type !== "telephony-tenant") return;
  isAdded = true;
  addTab();
});

/** Adds the sidebar tab. It sends and receives nothing while it is not visible. */
function addTab(): void {
  const content = $("<div>", { class: "telephony-tab" });
  const name = translate("tab.name");
  const tab = RED.user.hasPermission("telephony-tenant.read") ? new Tab(content) : undefined;
  if (!tab) $("<p>", { text: translate("ask.denied") }).appendTo(content);
  RED.actions.add(
    SHOW,
    (tenant, event) => {
      event?.preventDefault();
      if (tenant !== undefined) tab?.choose(tenant);
      RED.sidebar.show(ID);
    },
    { label: translate("sandbox.calls") },
  );
  const options = { label: name, name, content, iconClass: "fa fa-phone", pinned: true, enableOnEdit: true };
  RED.sidebar.addTab({ id: ID, ...options, action: SHOW });
}

class Tab {
  readonly #select: JQuery;
  readonly #window: JQuery;
  readonly #hint: JQuery;
  readonly #panels: TenantPanels;
  readonly #frame: Frame;
  #isVisible = false;
  #isFrameVisible = false;
  #chosen: string | undefined;
  /** The call that was answered in the notification. */
  #answering: string | undefined;
  readonly #ringing: Ringing;

  constructor(content: JQuery) {
    const head = $("<div>", { class: "telephony-tab-head" }).appendTo(content);
    this.#select = $("<select>", { "aria-label": translate("label.tenant") }).appendTo(head);
    const alone = translate("tab.window");
    this.#window = $("<a>", { class: "red-ui-button", target: "_blank", rel: "noopener", title: alone })
      .attr("aria-label", alone)
      .append($("<i>", { class: "fa fa-external-link" }))
      .appendTo(head);
    this.#panels = new TenantPanels(content);
    if (RED.user.hasPermission("flows.write")) new RehearsalWindow(content);
    this.#hint = $("<p>", { class: "telephony-tab-hint" }).appendTo(content);
    const area = $("<div>", { class: "telephony-tab-frame" }).appendTo(content);
    this.#frame = new Frame(area, () => void this.#ringing.check());
    this.#select.on("change", () => this.choose(String(this.#select.val())));
    this.#ringing = new Ringing({
      isShown: (tenant) =>
        this.#isFrameVisible &&
        this.#frame.isInSight &&
        tenant === this.#sandbox?.id &&
        !document.querySelector("dialog[open]"),
      answer: (tenant, callId) => {
        for (const dialog of document.querySelectorAll<HTMLDialogElement>(".telephony-window")) dialog.close();
        this.choose(tenant, callId);
        RED.sidebar.show(ID);
      },
      changed: () => this.#update(),
    });
    followTenants((added) => {
      this.#follow(RED.workspaces.active(), added);
      this.#update();
      // A sandbox may be another one since.
      this.#frame.see(this.#isFrameVisible);
    });
    followNeeds(() => this.#update());
    RED.events.on("workspace:change", ({ workspace }) => workspace && this.#follow(workspace));
    new MutationObserver(() => this.#update()).observe(document.documentElement, { attributeFilter: ["class"] });
    watchVisibility(content[0] as Element, (isVisible) => {
      this.#isVisible = isVisible;
      if (isVisible) this.#update();
      else this.#panels.stop();
    });
    watchVisibility(area[0] as Element, (isVisible) => {
      this.#isFrameVisible = isVisible;
      this.#frame.see(isVisible);
      void this.#ringing.check();
    });
  }

  choose(tenant: string, answering?: string): void {
    this.#chosen = tenant;
    this.#answering = answering;
    this.#update();
    void this.#ringing.check();
  }

  /**
   * Shows a tenant of the flow that is in front: the one that is shown if it has that, else rather a sandbox.
   * @param among a deploy shows only those that it adds
   */
  #follow(workspace: string, among = deployedTenants()): void {
    const used = new Set(RED.nodes.filterNodes({ z: workspace }).map((node) => node["tenant"]));
    const ofFlow = among.filter(({ template, path }) => used.has(template) || path.split("/").includes(workspace));
    const [first] = ofFlow;
    if (first && !ofFlow.some(({ id }) => id === this.#tenant?.id)) this.choose(first.id);
  }

  get #tenant(): RunningTenant | undefined {
    const [tenants, chosen] = [deployedTenants(), this.#chosen];
    const found = tenants.find(({ id }) => id === chosen) ?? tenants.find(({ template }) => template === chosen);
    return found ?? tenants[0];
  }

  get #sandbox(): RunningTenant | undefined {
    return this.#tenant?.mode === "sandbox" ? this.#tenant : undefined;
  }

  #update(): void {
    showNeeds(deployedTenants().map(({ id }) => id));
    if (!this.#isVisible) return;
    this.#select
      .empty()
      .append(
        ...this.#options("tab.sandboxes", (tenant) => tenant.mode === "sandbox"),
        ...this.#options("tab.others", (tenant) => tenant.mode !== "sandbox"),
      );
    const tenant = this.#tenant;
    const sandbox = this.#sandbox;
    this.#select.val(tenant?.id ?? "").toggle(tenant !== undefined);
    this.#window.attr("href", sandbox ? callsAddress(sandbox.id, zoneOf(sandbox)) : "").toggle(sandbox !== undefined);
    this.#hint.text(sandbox ? "" : translate(tenant ? "tab.onlyNumbers" : "tab.none")).toggle(!sandbox);
    if (tenant) this.#panels.follow(tenant);
    else this.#panels.hide();
    this.#frame.show(sandbox, this.#answering);
  }

  #options(group: "tab.sandboxes" | "tab.others", isIn: (tenant: RunningTenant) => boolean): JQuery[] {
    const options = deployedTenants()
      .filter(isIn)
      .map(({ id, name }) => {
        const count = needsOf(id);
        const text = count > 0 ? translate("pattern.aside", { text: name, aside: count }) : name;
        return $("<option>", { value: id, text: this.#ringing.isRinging(id) ? `☎ ${text}` : text });
      });
    return options.length > 0 ? [$("<optgroup>", { label: translate(group) }).append(...options)] : [];
  }
}

/**
 * Calls back when an element becomes visible or hidden: a sidebar opens or closes, another of its tabs is chosen, or the
 * whole page is hidden.
 */
function watchVisibility(element: Element, changed: (isVisible: boolean) => void): void {
  let isOnScreen = false;
  let isVisible = false;
  const update = () => {
    const is = isOnScreen && !document.hidden;
    if (is === isVisible) return;
    isVisible = is;
    changed(is);
  };
  new IntersectionObserver((entries) => {
    isOnScreen = entries[entries.length - 1]?.isIntersecting ?? false;
    update();
  }).observe(element);
  document.addEventListener("visibilitychange", update);
}
