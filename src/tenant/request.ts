/** A request of the service's interface, before it is put on the wire. */
export type Request =
  | { readonly method: "GET"; readonly path: string; readonly query?: Query; readonly summary?: RequestSummary }
  | { readonly method: "POST"; readonly path: string; readonly body: Body }
  | { readonly method: "DELETE"; readonly path: string; readonly summary?: RequestSummary };

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type Body = Readonly<Record<string, unknown>>;
/** A request as messages and errors show it: its body, query or id, never the token. */
export type RequestSummary = Readonly<Record<string, unknown>>;

/** How the service reads the fields of a party: `{"to.type": …}` as its interface names them, or `{"to": {"type": …}}`. */
export type PartyFields = "dotted" | "nested";

const PARTY = /^(from|to)\.(type|number|alias)$/;

/** The body to send. */
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

/** The path with the query values that are given, booleans as `true` and `false`. */
export function target(request: Request): string {
  const query = request.method === "GET" ? Object.entries(request.query ?? {}) : [];
  const given = query.flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  return given.length === 0 ? request.path : `${request.path}?${new URLSearchParams(given)}`;
}

/** Names and values alternate, as undici expects them. */
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

export function summaryOf(request: Request, partyFields: PartyFields): RequestSummary {
  if (request.method === "POST") return wireBody(request.body, partyFields);
  if (request.summary) return request.summary;
  const query = request.method === "GET" ? (request.query ?? {}) : {};
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Builds a path from ids. Throws TypeError on anything but digits, so that no value can lead to another path. */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw(
    { raw: parts },
    ...ids.map((id) => {
      if (!/^\d{1,18}$/.test(id)) throw new TypeError("a path takes ids of digits only");
      return id;
    }),
  );
}
