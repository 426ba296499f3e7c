/** A request of the service's interface, before it is put on the wire. */
export type Request =
  | { readonly method: "GET"; readonly path: string; readonly query?: Query; readonly asked?: RequestSummary }
  | { readonly method: "POST"; readonly path: string; readonly body: Body }
  | { readonly method: "DELETE"; readonly path: string; readonly asked?: RequestSummary };

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type Body = Readonly<Record<string, unknown>>;
type RequestSummary = Readonly<Record<string, unknown>>;

/** How the service reads the fields of a party: `{"to.type": …}` as its interface names them, or `{"to": {"type": …}}`. */
export type PartyFields = "dotted" | "nested";

const PARTY = /^(from|to)\.(type|number|alias)$/;

/** The body as it goes out. */
export function wireBody(body: Body, partyFields: PartyFields): Body {
  if (partyFields === "dotted") return body;
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const [, role, part] = PARTY.exec(key) ?? [];
    if (role === undefined || part === undefined) nested[key] = value;
    else nested[role] = { ...(nested[role] as object | undefined), [part]: value };
  }
  return nested;
}

/** The path with its query: only what is given, booleans as `true` and `false`. */
export function target(request: Request): string {
  const query = request.method === "GET" ? Object.entries(request.query ?? {}) : [];
  const given = query.flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  return given.length === 0 ? request.path : `${request.path}?${new URLSearchParams(given)}`;
}

/** Names and values in turn, as undici takes them. */
export interface RequestHeaders {
  readonly bodiless: string[];
  readonly json: string[];
}

/** The headers of a tenant's requests, without a body and with one. */
export function headers(authHeader: string, token: string): RequestHeaders {
  const accepted = ["accept", "application/json", "accept-encoding", "identity"];
  const bodiless = [authHeader, `Bearer ${token}`, ...accepted];
  return { bodiless, json: [...bodiless, "content-type", "application/json"] };
}

/** What was asked for, as messages and errors tell it: body, query or id; never the token. */
export function asked(request: Request, partyFields: PartyFields): Readonly<Record<string, unknown>> {
  if (request.method === "POST") return wireBody(request.body, partyFields);
  if (request.asked) return request.asked;
  const query = request.method === "GET" ? (request.query ?? {}) : {};
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Builds a path from checked ids. Throws on anything but digits, so that no value can lead elsewhere. */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw(
    { raw: parts },
    ...ids.map((id) => {
      if (!/^\d{1,18}$/.test(id)) throw new TypeError("a path takes ids of digits only");
      return id;
    }),
  );
}
