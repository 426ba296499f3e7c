import { randomUUID } from "node:crypto";
import type { RestoredHandlers } from "../handlers";
import type { Records as AnyRecords } from "../records";
import { mayHaveArrived, NotSent } from "./connection";
import type { Group } from "./group";

/** Items that are told before Redis learns that they were. */
const AT_ONCE = 100;

/** What the records need of their backlog. */
interface Services {
  /** Resolves when Redis knows this instance, or is known not to answer. */
  join(): Promise<void>;
  hasJoined(): boolean;
  failed(error: Error): void;
  /** Why Redis fails, while it does. */
  reason(): string | undefined;
}

/** The arguments of a function; `undefined` if it must not be asked any more. */
type Args = (instance: string) => string[] | undefined;

/** The records of a group, of which this process has some. Names are kept as JSON, so that each is one line. */
export class RedisRecords implements Pick<AnyRecords, "create" | "update" | "remove" | "note"> {
  readonly #group: Group;
  readonly #services: Services;
  /** Those that this process has. */
  readonly #names = new Set<string>();
  /** Removals that Redis does not know yet. */
  readonly #removing = new Map<string, Promise<unknown>>();
  /** Id of the last item that was told. */
  #told = "";
  #telling: Promise<void> | undefined;
  #tellAgain = false;
  /** Who is told what becomes of records. */
  handlers: RestoredHandlers | undefined;

  constructor(group: Group, services: Services) {
    this.#group = group;
    this.#services = services;
  }

  async create(name: string, value: unknown): Promise<boolean> {
    if (this.#group.connection.isReady) await this.#removing.get(name);
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    try {
      const args: Args = (instance) => [instance, JSON.stringify(name), JSON.stringify(value)];
      const isNew = (await this.#ask("backlogCreate", args, true)) === "created";
      if (isNew) this.#names.add(name);
      else this.#names.delete(name);
      return isNew;
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
  }

  async update(name: string, value: unknown): Promise<boolean> {
    // Another instance may inherit it while this one asks.
    const args: Args = (instance) =>
      this.#names.has(name) ? [instance, JSON.stringify(name), JSON.stringify(value)] : undefined;
    const isMine = (await this.#ask("backlogUpdate", args, false)) === "updated";
    if (!isMine) this.#names.delete(name);
    return isMine;
  }

  async remove(name: string): Promise<void> {
    this.#names.delete(name);
    const removing = this.#group.insist("backlogRemove", this.#group.member.instance, JSON.stringify(name));
    this.#removing.set(name, removing);
    await removing;
    if (this.#removing.get(name) === removing) this.#removing.delete(name);
  }

  async note(name: string, note: unknown): Promise<boolean> {
    const args = [JSON.stringify(name), randomUUID(), JSON.stringify(note)];
    return (await this.#ask("backlogNote", () => args, true)) === 1;
  }

  /** Resolves when Redis knows what was removed. */
  async settled(): Promise<void> {
    await Promise.all(this.#removing.values());
    await this.#telling;
  }

  /** Another instance has inherited. */
  forget(): void {
    this.#names.clear();
    this.#told = "";
  }

  /** There may be something to tell. */
  look(): void {
    if (!this.#services.hasJoined() || !this.handlers) return;
    this.#tellAgain = true;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
      if (this.#tellAgain) this.look();
    });
  }

  async #tell(): Promise<void> {
    const { member, call } = this.#group;
    try {
      while (this.#tellAgain) {
        this.#tellAgain = false;
        const { instance } = member;
        const items = (await call("backlogNotes", instance, this.#told, AT_ONCE)) as string[];
        // Another instance may have inherited meanwhile, and is told itself.
        if (instance !== member.instance || !member.isSafe) return;
        for (let n = 0; n < items.length; n += 4) {
          const [id = "", kind = "", name = "null", note = ""] = items.slice(n, n + 4);
          this.#told = id;
          this.#tellOne(kind, JSON.parse(name) as string, note);
        }
        // The next request says that these were told.
        if (items.length > 0) this.#tellAgain = true;
      }
    } catch (error) {
      this.#tellAgain = false;
      this.#services.failed(error as Error);
    }
  }

  #tellOne(kind: string, name: string, json: string): void {
    if (kind === "noted") {
      if (this.#names.has(name)) this.handlers?.onRecordNote?.(name, JSON.parse(json));
      return;
    }
    // It was removed meanwhile, or it was told before.
    if (json === "" || this.#names.has(name) || this.#removing.has(name)) return;
    this.#names.add(name);
    this.handlers?.onRecordRestored?.(name, JSON.parse(json));
  }

  /** @param again asks again if the reply was lost, because the repetition changes nothing */
  async #ask(command: string, args: Args, again: boolean): Promise<unknown> {
    const { connection } = this.#group;
    try {
      if (!this.#services.hasJoined() && connection.isReady) await this.#services.join();
      // What answers may be no Redis: nothing is sent that would have to be asked for.
      if (!this.#services.hasJoined()) throw new NotSent();
      const given = args(this.#group.member.instance);
      const answer = given && (await this.#group.call(command, ...given));
      if (answer !== "absent") return answer;
      await this.#services.join();
    } catch (error) {
      this.#services.failed(error as Error);
      if (!again || !mayHaveArrived(error)) throw new Error(this.#services.reason() ?? (error as Error).message);
    }
    return this.#insist(command, args);
  }

  async #insist(command: string, args: Args): Promise<unknown> {
    for (;;) {
      const given = args(this.#group.member.instance);
      if (!given) return undefined;
      const answer = await this.#group.insist(command, ...given);
      if (answer === undefined) throw new NotSent();
      if (answer !== "absent") return answer;
      await this.#services.join();
    }
  }
}
