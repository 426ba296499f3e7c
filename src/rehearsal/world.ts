/** What surrounds the flow in a rehearsal: a WORLD file, as `docs/contract.md` shows it. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly global?: Readonly<Record<string, unknown>>;
  /** By the id of the tab. */
  readonly flow?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** As the service gives them: for all tenants, or by a tenant's id or name. */
  readonly schedules?: readonly unknown[] | Readonly<Record<string, readonly unknown[]>>;
  /** iCalendar texts by address. */
  readonly calendars?: Readonly<Record<string, string>>;
  /** Behaviour by the last digits of a number, as the sandbox takes it. */
  readonly phones?: Readonly<Record<string, unknown>>;
  readonly mix?: Readonly<Record<string, number>>;
  readonly faults?: readonly WorldFault[];
  /** Answers of nodes with effects outside, by node id or name. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly inputs?: readonly WorldInput[];
}

/** `at` and `until` are ISO 8601, `+90s` after the start, or `09:00`: the first such time at or after the start. */
export interface WorldFault {
  readonly at: string;
  readonly until?: string;
  readonly path?: string;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly lost?: boolean;
  readonly share?: number;
}

export type WorldInput =
  | {
      readonly at: string;
      readonly post: string;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly at: string; readonly inject: string }
  | { readonly at: string; readonly node: string; readonly msg: Readonly<Record<string, unknown>> };
