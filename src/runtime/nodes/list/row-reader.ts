import type { Node } from "node-red";
import { hashOf, type Key } from "../../../backlog";
import type { Job, Settings } from "../../../client";
import { NumberNormalizer } from "../../../client/guard/number-normalizer";
import { type Config, type Host, isGiven, type Reader, reader, required, text, ValueError } from "../../../fields";
import type { Shape } from "../action/declaration";
import { MAX_ROWS } from "./reading/read-table";

/** A row as it is called. */
export interface Call extends Pick<Job, "request"> {
  /** Keys with which it is called once. */
  readonly keys: readonly Key[];
  /** Whether its number lacks the zero with which such numbers begin. */
  readonly lacksZero: boolean;
}

/** The keys that a row takes. Others only tell the rows of one list apart. */
export function takenKeys({ keys }: Call): readonly Key[] {
  return keys.filter(({ forMs }) => forMs > 0);
}

/** The request of a row as a job of its node. @param id of the message with its result */
export function rowJob({ id: nodeId, type: action }: Node, id: string, call: Call) {
  const { request } = call;
  return { id, nodeId, action, lane: "callOut", repeat: "never", request, keys: takenKeys(call) } as const;
}

/** Reads the rows of lists as a node's dialog says. */
export class RowReader {
  readonly #fields: Reader<Shape["fields"]>;
  readonly #once: Reader<{ readonly once: ReturnType<typeof requiredText> }> | undefined;
  readonly #numbers: NumberNormalizer;

  /**
   * @param onceForMs how long a row that was called is not called again
   * @throws ValueError
   */
  constructor(
    private readonly nodeId: string,
    config: Config,
    private readonly shape: Shape,
    host: Host,
    private readonly settings: Settings,
    private readonly onceForMs: number,
  ) {
    // A list says what is doubtful in it once, and not with each row.
    const silent: Host = { ...host, warn: () => {} };
    this.#fields = reader(shape.fields, config, silent);
    const { once, onceType } = config;
    this.#once = isGiven(once) ? reader({ once: requiredText() }, { once, onceType }, silent) : undefined;
    // Each row is read twice: when its list is judged, and in its turn.
    this.#numbers = new NumberNormalizer(settings.country, MAX_ROWS);
    const problem = this.#fields.problem ?? this.#once?.problem;
    if (problem) throw problem;
  }

  /**
   * Reads a row: at once, if no source takes its time. Throws, or rejects with, `ValueError`.
   * @param message has the row in `payload` and `row`
   */
  read(message: object): Call | Promise<Call> {
    const [values, once] = [this.#fields.read(message), this.#once?.read(message)];
    if (!(values instanceof Promise || once instanceof Promise)) return this.#callOf(values, once?.once, message);
    return Promise.all([values, once]).then(([all, own]) => this.#callOf(all, own?.once, message));
  }

  #callOf(values: Readonly<Record<string, unknown>>, once: string | undefined, message: object): Call {
    const { "to.type": kind, "to.number": given } = values;
    const number = String(given);
    const isExternal = kind === "external";
    const request = this.#fields.build(() => {
      if (isExternal && !this.#numbers.isOneNumber(number)) throw new ValueError("input.notOneNumber", "to.number");
      return this.shape.request(values as never, this.settings);
    }, message);
    const ids = once === undefined ? this.#formsOf(number, isExternal) : [once];
    const keys = ids.map((id) => ({
      hash: hashOf(`list ${JSON.stringify(this.nodeId)} ${once === undefined} ${id}`),
      forMs: this.onceForMs,
    }));
    return { request, keys, lacksZero: isExternal && this.#numbers.lacksZero(number) };
  }

  /** The forms in which a number is the same number, else its digits. */
  #formsOf(number: string, isExternal: boolean): readonly string[] {
    const forms = isExternal ? this.#numbers.formsInAnyCountry(number) : [];
    return forms.length > 0 ? forms : [number.replace(/\D+/g, "") || number];
  }
}

function requiredText() {
  return required(text());
}
