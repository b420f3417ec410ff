import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { document } from "../../../app/surfaces/v1/index.server.ts";
import type { ResponseObject, Operation } from "../../../app/http/v1/openapi/document.ts";
import type { Schema } from "../../../app/http/v1/openapi/schemas.ts";
import { UNREADABLE_STATUSES } from "../../../app/http/v1/openapi/errors.ts";
import { statusOf } from "../../../app/http/failure-registry.ts";
import type { FailureCode } from "../../../app/platform/failure.ts";

/** A response as a test received it. */
export interface Received {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

export const contract = document();

const SCHEMAS = "contract.json";

/**
 * Returns the schema with unknown fields forbidden. The published schemas allow new fields in responses; in tests an
 * undocumented field is a mistake.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "examples" || key === "const" || key === "enum" ? inner : closed(inner),
    ]),
  );
  if (typeof copy["$ref"] === "string") copy["$ref"] = copy["$ref"].replace(/^#/, `${SCHEMAS}#`);
  if (copy["type"] === "object" && "properties" in copy) copy["additionalProperties"] ??= false;
  return copy;
}

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
addFormats(ajv);
ajv.addVocabulary(["components", "x-additive"]);
ajv.addSchema({ $id: SCHEMAS, components: { schemas: closed(contract.components.schemas) } });

const validators = new WeakMap<Schema, ValidateFunction>();

/** Returns the problems of a value with a schema of the contract. */
export function misfits(schema: Schema, value: unknown): string[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(Object(closed(schema)));
    validators.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath === "" ? "it" : instancePath} ${message ?? "does not fit"} ${JSON.stringify(params)}`,
  );
}

interface Template {
  segments: string[];
  operations: Record<string, Operation>;
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

/** Sorts literal segments before parameters, from left to right. */
const templates: Template[] = Object.entries(contract.paths)
  .map(([path, operations]) => ({ segments: path.split("/"), operations }))
  .sort((a, b) => {
    const rank = ({ segments }: Template): string => segments.map((one) => (isParameter(one) ? "1" : "0")).join("");
    return rank(a) < rank(b) ? -1 : 1;
  });

function findTemplate(path: string): Template | undefined {
  // fetch() sends the path as URL normalizes it.
  const given = new URL(path, "http://localhost").pathname.split("/");
  return templates.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, index) => (isParameter(segment) ? given[index] !== "" : given[index] === segment)),
  );
}

/** Resolves a reference to a response of the components. */
export function resolve(response: ResponseObject | { $ref: string }): ResponseObject {
  if (!("$ref" in response)) return response;
  const found = contract.components.responses[response.$ref.replace("#/components/responses/", "")];
  if (!found) throw new Error(`there is no ${response.$ref}`);
  return found;
}

/** Checks a response. @throws when the OpenAPI document does not describe it */
export function checkAgainstContract(received: Received): void {
  const problems = problemsWith(received);
  if (problems.length === 0) return;
  const { method, path, status, text } = received;
  throw new Error(
    `${method} ${path} responded ${status}, which is not what /v1/openapi.json says:\n${problems.map((one) => `  - ${one}`).join("\n")}\n${text.slice(0, 2_000)}`,
  );
}

function problemsWith(received: Received): string[] {
  const { method, status } = received;
  if (UNREADABLE_STATUSES.includes(status)) return anywhere(received, ["invalid_request"]);
  const template = findTemplate(received.path);
  if (!template) return anywhere(received, ["not_found", "invalid_request", "payload_too_large"]);
  const { operations } = template;
  if (method === "OPTIONS" && status === 204) {
    return [...(received.text === "" ? [] : ["it has a body"]), ...allowProblems(received, operations)];
  }
  // A GET that changes something does not support HEAD.
  const operation = method === "HEAD" && status === 405 ? undefined : operations[methodOf(received).toLowerCase()];
  if (!operation) {
    const problems = anywhere(received, ["method_not_allowed", "invalid_request", "payload_too_large"]);
    return status === 413 ? problems : [...problems, ...allowProblems(received, operations)];
  }
  const response = operation.responses[status];
  if (response) return responseProblems(received, resolve(response));
  if (status === 413) return anywhere(received, ["payload_too_large"]);
  return [`status ${status} is not documented; ${Object.keys(operation.responses).join(", ")} are`];
}

function methodOf({ method }: Received): string {
  return method === "HEAD" ? "GET" : method;
}

/** Checks that `Allow` names the documented methods, HEAD and OPTIONS, and not the refused one. */
function allowProblems({ method, status, headers }: Received, operations: Record<string, Operation>): string[] {
  const allow = (headers.get("allow") ?? "").split(", ");
  const documented = Object.keys(operations).map((name) => name.toUpperCase());
  const missing = [...documented, "OPTIONS"].filter((name) => !allow.includes(name));
  const surplus = allow.filter((name) => !documented.includes(name) && name !== "HEAD" && name !== "OPTIONS");
  return [
    ...missing.map((name) => `Allow lacks ${name}`),
    ...surplus.map((name) => `Allow names "${name}", which is not documented`),
    ...(status === 405 && allow.includes(method) ? [`Allow names ${method}, which was refused`] : []),
  ];
}

/** Checks a response that was sent before routing. */
function anywhere(received: Received, codes: readonly FailureCode[]): string[] {
  const { Anywhere } = contract.components.responses;
  if (!Anywhere) throw new Error("the contract has no response `Anywhere`");
  const unreadable = UNREADABLE_STATUSES.includes(received.status);
  const statuses = codes.map(statusOf);
  if (!unreadable && !statuses.some((status) => status === received.status)) {
    return [`status ${received.status} is not among ${statuses.join(", ")}, which any path can return`];
  }
  const problems = responseProblems(received, Anywhere);
  if (received.method === "HEAD" || problems.length > 0) return problems;
  const { code } = errorOf(received.text);
  return codes.some((one) => one === code && (unreadable || statusOf(one) === received.status))
    ? []
    : [`its code is ${String(code)}, which does not go with ${received.status} here`];
}

function responseProblems(received: Received, response: ResponseObject): string[] {
  return [...headerProblems(received, response), ...bodyProblems(received, response)];
}

function headerProblems({ headers }: Received, response: ResponseObject): string[] {
  const problems = Object.keys(response.headers).flatMap((name) => {
    const described = contract.components.headers[name];
    if (!described) return [`the header ${name} is not in the contract`];
    const text = headers.get(name);
    if (text === null) return described.required ? [`the header ${name} is missing`] : [];
    const value = described.schema.type === "integer" ? Number(text) : text;
    return misfits(described.schema, value).map((problem) => `the header ${name}: ${text}: ${problem}`);
  });
  // Clients may rely on a header that they receive.
  if (headers.has("etag") && !("ETag" in response.headers)) problems.push("its ETag is not documented");
  return problems;
}

function bodyProblems({ method, headers, text }: Received, { content }: ResponseObject): string[] {
  if (method === "HEAD" && text !== "") return ["it has a body"];
  if (!content) return text === "" ? [] : ["it has a body, and none is documented"];
  const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
  const documented = content[type];
  if (!documented) return [`its type is "${type}"; ${Object.keys(content).join(", ")} is documented`];
  if (method === "HEAD" || !type.endsWith("json")) return [];
  const body = parse(text);
  if (body === undefined) return ["its body is not JSON"];
  const problems = misfits(documented.schema, body);
  const { requestId } = errorOf(text);
  if (requestId !== undefined && requestId !== headers.get("x-request-id"))
    problems.push("its requestId is not its X-Request-Id");
  return problems;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns `error` of a response's body, or undefined. */
function errorOf(text: string): { code?: unknown; requestId?: unknown } {
  const body = parse(text);
  if (typeof body !== "object" || body === null || !("error" in body)) return {};
  return typeof body.error === "object" && body.error !== null ? body.error : {};
}
