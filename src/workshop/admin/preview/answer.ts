import type { NodeAPI } from "node-red";
import type { Params, TextKey } from "../../../fields";
import type { DayOfWeek, Schedule } from "../../../hours";
import { wallOf } from "../../../hours/dates";
import { shared, speaking } from "../../../runtime/node-red/catalogue";
import { asTenantError, type Refusal, refusal } from "../../../runtime/node-red/texts";
import type { Body } from "../http";

/** One sentence of an answer to a dialog. With a key, it is a refusal that the dialog words with its own labels. */
export interface Line extends Partial<Pick<Refusal, "key" | "params">> {
  readonly text: string;
  readonly kind?: "open" | "closed" | "fine" | "problem";
  /** The row in which the dialog shows it, if not in the first. */
  readonly at?: "next" | "sentence" | "zone";
}

/** The preview that a dialog shows of its node before it is deployed, in the language of the editor. */
export interface Preview {
  readonly lines: readonly Line[];
  readonly week?: {
    readonly days: Schedule["days"] | undefined;
    /** Minutes since Monday's midnight. */
    readonly moment: number;
    readonly specials: readonly DayOfWeek[];
  };
  /** Whether there is an address that may be fetched, by who has the permission. */
  readonly canFetch?: boolean;
}

/** The reader of an answer, in an editor with a language and a time zone. */
export class Reader {
  /** Node-RED in the language of the editor. */
  readonly RED: NodeAPI;
  readonly zone: string;

  constructor(
    /** Node-RED in the language of the server. */
    readonly server: NodeAPI,
    { language, zone }: Body,
  ) {
    this.RED = speaking(server, String(language));
    this.zone = String(zone);
  }

  get language(): string {
    return this.text("language");
  }

  readonly text = (key: TextKey, params?: Params): string => shared(this.RED, key, params);

  /** An instant as the wall clock of its zone shows it: the part of its text before the offset. */
  moment(instant: string, seenFrom = ""): string {
    const isSameDay = instant.slice(0, 10) === seenFrom.slice(0, 10);
    const day = { weekday: "short", day: "numeric", month: "short" } as const;
    const minute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" } as const;
    const wall = new Date(wallOf(instant));
    return wall.toLocaleString(this.language, { ...(!isSameDay && day), ...minute });
  }

  problem(error: unknown): Line {
    const { key, params, message } = refusal(this.RED, asTenantError(error));
    return { text: message, kind: "problem", key, params };
  }
}
