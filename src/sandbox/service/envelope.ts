/** The shape of every answer (interface, "Response envelope"). */
export interface Envelope {
  readonly success: boolean;
  readonly code: number;
  readonly locale: "en";
  readonly message: string;
  readonly data: unknown;
}

/** An envelope and the HTTP around it. */
export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
  readonly headers?: Readonly<Record<string, string>>;
}

export function accepted(data: unknown, code = 200): Answer {
  return { status: 200, envelope: { success: true, code, locale: "en", message: "OK", data } };
}

export function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, envelope: { success: false, code: status, locale: "en", message, data: null }, headers };
}
