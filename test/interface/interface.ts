import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020, { type ErrorObject } from "ajv/dist/2020";
import { load } from "js-yaml";
import { root } from "../support/root";
import { dotted } from "./requests";

/** The parts of the OpenAPI document that the checks read. */
interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
}
type PathItem = Readonly<Record<"get" | "post" | "delete", OperationItem | undefined>> & {
  readonly parameters?: readonly Parameter[];
};
interface OperationItem {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly "x-accept"?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly schema: { readonly type: "string" | "number" | "boolean" };
}

/** One operation of the service's interface. */
export interface InterfaceOperation {
  /** Such as `GET /api/v1/setting/business-hour/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly hasBody: boolean;
  readonly parameters: readonly Parameter[];
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
}

/** A request as a server received it; without `headers`, they are not checked. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed body; undefined for none. */
  readonly body: unknown;
}

const BODY = "/requestBody/content/application~1json/schema";
const FILE = "test/interface/openapi.yaml";
const document = load(readFileSync(join(root, FILE), "utf8")) as Document;

const ajv = new Ajv2020({ allErrors: true, strictRequired: false, strictTypes: false });
// Ajv knows no OpenAPI: the keys around the schemas count as keywords without a meaning.
ajv.addVocabulary(["x-not-shown", "x-our-option", ...Object.keys(document)]);
ajv.addSchema(document, "openapi", false, false);

/** Every operation of the interface. */
export const OPERATIONS: readonly InterfaceOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  (["get", "post", "delete"] as const).flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    return {
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      accept: operation["x-accept"],
      hasBody: operation.requestBody !== undefined,
      parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])],
      pointer: `/paths/${path.replaceAll("/", "~1")}/${method}`,
    };
  }),
);

/** The names of an operation's body fields and query parameters. */
export function fieldsOf({ pointer, hasBody, parameters }: InterfaceOperation): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const { properties = {} } = hasBody ? (at(pointer + BODY) as { properties?: object }) : {};
  return [...inQuery, ...Object.keys(properties)];
}

/** The operation of a request below any base address, with the value of the path's `{id}`; throws for none. */
export function operationOf(method: string, url: string): { readonly operation: InterfaceOperation; id?: string } {
  const [address = ""] = url.split("?", 1);
  const path = address.slice(Math.max(0, address.indexOf("/api/v1/")));
  for (const operation of OPERATIONS.filter((one) => one.method === method)) {
    if (operation.path === path) return { operation };
    const prefix = operation.path.replace(/\{id\}$/, "");
    const id = path.slice(prefix.length);
    if (prefix !== operation.path && path.startsWith(prefix) && id && !id.includes("/")) return { operation, id };
  }
  throw new Error(`${method} ${path} is no operation in ${FILE}.`);
}

/** Throws a sentence for a request that the interface does not allow; returns its operation. */
export function checkRequest({ method, url, headers, body }: SentRequest): InterfaceOperation {
  const { operation, id } = operationOf(method, url);
  const problems: string[] = [];
  const query = new URL(url, "http://tenant").searchParams;
  for (const name of query.keys())
    if (!operation.parameters.some((one) => one.in === "query" && one.name === name))
      problems.push(`the query parameter ${name} is unknown`);
  for (const parameter of operation.parameters) {
    const value = parameter.in === "path" ? id : query.get(parameter.name);
    if (value != null && !isWritten(value, parameter.schema.type))
      problems.push(`${parameter.name} must be a ${parameter.schema.type}, not ${JSON.stringify(value)}`);
  }
  if (headers) problems.push(...headerProblems(operation, headers));
  if (!operation.hasBody && body !== undefined) problems.push("it has no body in the interface");
  if (operation.hasBody) problems.push(...bodyProblems(operation, body));
  if (problems.length > 0) throw new Error(`${operation.name} breaks ${FILE}: ${problems.join("; ")}.`);
  return operation;
}

/** Throws a sentence for an answer of another shape than the interface's; of a refusal only the envelope is checked. */
export function checkAnswer(operation: InterfaceOperation, status: number, json: unknown): void {
  const isSuccess = status >= 200 && status < 300 && Object(json).success === true;
  const response = isSuccess ? "200" : "default";
  const direct = `${operation.pointer}/responses/${response}`;
  const { $ref } = at(direct) as { $ref?: string };
  const problems = schemaProblems(`${$ref?.slice(1) ?? direct}/content/application~1json/schema`, json, "the answer");
  if (!isSuccess && Object(json).success !== false) problems.push("a refusal must have success false");
  if (problems.length > 0) {
    throw new Error(`The answer ${status} to ${operation.name} breaks ${FILE}: ${problems.join("; ")}.`);
  }
}

/** Collects the problems of the requests of a recording server, whose callbacks cannot fail a test. */
export class RequestChecks {
  readonly #problems: string[] = [];

  check(request: SentRequest): void {
    try {
      checkRequest(request);
    } catch (error) {
      this.#problems.push((error as Error).message);
    }
  }

  /** Throws the first problem since the last call. */
  assertNone(): void {
    const [first] = this.#problems.splice(0);
    if (first !== undefined) throw new Error(first);
  }
}

function headerProblems(
  { accept, hasBody }: InterfaceOperation,
  headers: NonNullable<SentRequest["headers"]>,
): string[] {
  const problems: string[] = [];
  // A tenant may be set to another header; in the tests, its name begins with "x-".
  const bearers = Object.keys(headers).filter((name) => /^Bearer [\x21-\x7E]+$/.test(String(headers[name])));
  if (bearers.length !== 1 || !/^(?:authentication$|x-)/.test(String(bearers[0])))
    problems.push("the header authentication must be Bearer and the token");
  if (accept !== undefined && headers["accept"] !== accept) problems.push(`the header accept must be ${accept}`);
  if (hasBody && headers["content-type"] !== "application/json")
    problems.push("the header content-type must be application/json");
  return problems;
}

function bodyProblems({ pointer }: InterfaceOperation, body: unknown): string[] {
  const schema = pointer + BODY;
  const allowsNested = "$ref" in (at(schema) as object);
  const isNested = Object(body).to instanceof Object || Object(body).from instanceof Object;
  if (!allowsNested || !isNested) return schemaProblems(schema, body, "the body");
  if (Object.keys(body as object).some((key) => key.includes("."))) return ["the body mixes dotted and nested parties"];
  return schemaProblems(schema, dotted(body as object), "the body");
}

function schemaProblems(pointer: string, value: unknown, what: string): string[] {
  const validate = ajv.getSchema(`openapi#${encodeURI(pointer)}`);
  if (!validate) throw new Error(`${FILE} has no schema at ${pointer}.`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error: ErrorObject) => {
    const allowed = error.params["allowedValues"] ?? error.params["additionalProperty"];
    return `${what}${error.instancePath.replaceAll("/", ".")} ${error.message}${allowed === undefined ? "" : ` (${String(allowed)})`}`;
  });
}

function at(pointer: string): unknown {
  let value: unknown = document;
  for (const part of pointer.split("/").slice(1)) value = Object(value)[part.replaceAll("~1", "/")];
  return value;
}

/** Whether a text in a path or query is a value of the type. */
function isWritten(value: string, type: Parameter["schema"]["type"]): boolean {
  if (type === "number") return /^\d+$/.test(value);
  return type === "string" || /^(?:true|false|1|0)$/.test(value);
}
