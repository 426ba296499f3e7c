import { StartClock } from "../../../backlog/start-clock";
import type { Edge } from "../../../hours";
import { DAY_MS } from "../../../hours/dates";
import { flows } from "../../delivery/flow-lifecycle";
import { perNode } from "../../node-red/node-state";
import { MAX_SLEEP_MS } from "../../schedules/hours";

/** Finds the edges in `(after, until]`, in order. */
export type Edges = (after: number, until: number) => readonly Edge[];

/** A clock that is this far from the last edge that was handled was set: nothing is made up for. */
const LONGEST_JUMP_MS = DAY_MS;

/** A deploy must neither lose an edge nor repeat one. */
const cursors = perNode<EdgeCursor>("edge cursor");
flows.onDeleted(cursors, "business-hour-trigger");

/** Up to where a trigger has handled the edges of its schedule, whichever instance of the node is there. */
export class EdgeCursor {
  /** The instant up to which all edges were handled. */
  #until = Date.now();
  readonly #clock = new StartClock();

  /** A node that was not there before begins now. */
  static of(id: string): EdgeCursor {
    return cursors.of(id, () => new EdgeCursor());
  }

  /** Forgets a node, because Node-RED stops: edges that fall into a downtime are not sent later. */
  static forget(id: string): void {
    cursors.delete(id);
  }

  /**
   * Handles the edges that are due, each once. After the clock was put back, those of the repeated time were handled.
   * @returns whether the clock was set so far that edges may have been skipped
   */
  handle(edges: Edges, now: number, send: (edge: Edge) => void): boolean {
    // The edges in between were those of the stop before the start.
    if (this.#clock.hasJumped() || Math.abs(now - this.#until) > LONGEST_JUMP_MS) {
      this.#until = now;
      return true;
    }
    for (const edge of edges(this.#until, now)) {
      this.#until = edge.at;
      send(edge);
    }
    this.#until = Math.max(this.#until, now);
    return false;
  }

  /** Handles nothing up to now: without a schedule, nothing is due. */
  skip(): void {
    this.#until = Date.now();
  }

  /** Leaves to a successor the edges that are due from now on, and those that could not be sent while a deploy began. */
  leave(edges: Edges): void {
    const now = Date.now();
    if (Math.abs(now - this.#until) > LONGEST_JUMP_MS) return;
    const [due] = edges(this.#until, now);
    this.#until = due ? due.at - 1 : Math.max(this.#until, now);
  }

  /** Returns when the next edge is due, if that is before the clock is read again. */
  next(edges: Edges, now: number): number | undefined {
    return edges(Math.max(this.#until, now), now + MAX_SLEEP_MS)[0]?.at;
  }
}
