import { Chance } from "../phone/chance";
import type { OwnServer } from "../phone/outside";
import { Phones } from "../phone/phones";
import { DEFAULT_SETTINGS, type SandboxSettings } from "../phone/settings";
import { CallStore } from "../service/calls";
import { Changes } from "../service/changes";
import type { ServiceState } from "../service/operation";
import { ScheduleStore } from "../service/schedules";
import { FaultInjector } from "./faults";
import { RequestLog } from "./request-log";

/** By name, in small letters. */
type Headers = Readonly<Record<string, string>>;

/** Everything a sandbox remembers. A sandbox on another port can continue with the state of an earlier one. */
export class SandboxState implements ServiceState {
  readonly changes = new Changes();
  readonly calls = new CallStore(this.changes);
  readonly schedules = new ScheduleStore(this.changes);
  readonly log = new RequestLog(this.changes);
  readonly faults = new FaultInjector();
  readonly chance = new Chance();
  readonly phones = new Phones(this);
  own: OwnServer = { hosts: [] };
  /** Gives the headers of a request to this address what its receiver asks for, such as a secret that no page receives. */
  fillIn: (headers: Headers, address: string, body: string) => Headers = (headers) => headers;
  /** Ends requests to addresses outside of the sandbox. */
  outside = new AbortController();
  #settings: SandboxSettings = DEFAULT_SETTINGS;

  constructor() {
    this.calls.onForgotten = (callId) => this.phones.forget(callId);
    this.calls.onPlaced = (call) => this.phones.ring(call);
    this.calls.onActed = (callId, ends) => this.phones.actedOn(callId, ends);
  }

  get settings(): SandboxSettings {
    return this.#settings;
  }

  set settings(settings: SandboxSettings) {
    const { answers, ringSeconds } = this.#settings;
    this.#settings = settings;
    if (answers !== settings.answers || ringSeconds !== settings.ringSeconds) this.phones.answersChanged();
    this.changes.next();
  }

  /** The hosts besides loopback that may be asked. */
  get allowedHosts(): readonly string[] {
    return [...this.own.hosts, ...this.#settings.hosts];
  }

  /** Forgets calls and requests, and ends everything under way. */
  clear(): void {
    this.outside.abort();
    this.outside = new AbortController();
    this.chance.restart();
    this.phones.clear();
    this.calls.clear();
    this.log.clear();
    this.changes.clear();
  }

  /** Returns to what a new sandbox has. */
  reset(): void {
    this.#settings = DEFAULT_SETTINGS;
    this.faults.set({ times: 0 });
    this.schedules.reset();
    this.clear();
  }
}
