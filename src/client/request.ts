/** A request of the service's interface, before it is put on the wire. */
export type Request =
  | { readonly method: "GET"; readonly path: string; readonly query?: Query; readonly summary?: RequestSummary }
  | { readonly method: "POST"; readonly path: string; readonly body: Body }
  | { readonly method: "DELETE"; readonly path: string; readonly summary?: RequestSummary };

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type Body = Readonly<Record<string, unknown>>;
/** A request as messages and errors show it: its body, query or id, never the token. */
export type RequestSummary = Readonly<Record<string, unknown>>;

/** The form of the fields of a party: `{"to.type": …}` as its interface names them, or `{"to": {"type": …}}`. */
export type PartyFields = "dotted" | "nested";
/** The form in which the service reads a boolean in a query: `true` and `false`, or `1` and `0`. */
type Booleans = "words" | "digits";

/** The style of a request. The interface shows dots and words; nobody knows what each tenant reads. */
export interface Style {
  readonly partyFields: PartyFields;
  readonly booleans: Booleans;
}

const PARTY = /^(from|to)\.(type|number|alias)$/;

/** Whether the request has fields of a party, which the styles write differently. */
export function hasParties(request: Request): boolean {
  return request.method === "POST" && Object.keys(request.body).some((key) => PARTY.test(key));
}

/** The boolean parameters of the request's query, which the styles write differently. */
export function booleansIn(request: Request): string[] {
  const query = request.method === "GET" ? Object.entries(request.query ?? {}) : [];
  return query.flatMap(([key, value]) => (typeof value === "boolean" ? [key] : []));
}

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

/** The path with the query values that are given. */
export function target(request: Request, booleans: Booleans): string {
  if (request.method !== "GET" || !request.query) return request.path;
  const given = Object.entries(wireQuery(request, booleans)).map(([key, value]) => [key, String(value)]);
  return given.length === 0 ? request.path : `${request.path}?${new URLSearchParams(given)}`;
}

function wireQuery(request: Request, booleans: Booleans): Query {
  const query = request.method === "GET" ? Object.entries(request.query ?? {}) : [];
  const written = (value: Query[string]) =>
    booleans === "digits" && typeof value === "boolean" ? Number(value) : value;
  return Object.fromEntries(query.flatMap(([key, value]) => (value === undefined ? [] : [[key, written(value)]])));
}

/** The headers of a tenant's requests, without a body and with one. Names and values alternate, as undici expects them. */
export function headers(authHeader: string, token: string) {
  const accepted = ["accept", "application/json", "accept-encoding", "identity"];
  const bodiless = [authHeader, `Bearer ${token}`, ...accepted];
  return { bodiless, json: [...bodiless, "content-type", "application/json"] };
}

export function summaryOf(request: Request, { partyFields, booleans }: Style): RequestSummary {
  if (request.method === "POST") return wireBody(request.body, partyFields);
  return request.summary ?? wireQuery(request, booleans);
}
