// Writes the parts of the SDK that come from the OpenAPI document: the types of all operations, the table by which the client calls them, and the
// interface of the client.
// `--check` compares instead (npm run check:sdk).
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { sdkSample } from "../app/http/v1/openapi/code-samples.ts";
import type { OpenApiDocument, Operation } from "../app/http/v1/openapi/document.ts";
import { document } from "../app/surfaces/v1/index.server.ts";
import { formatText } from "./format.ts";
import { groupMethods, type Group, type NamedOperation } from "./sdk-methods.ts";

/** POST operations that change nothing when they are repeated, and need no `Idempotency-Key` for it. */
const REPEATABLE = new Set([
  "lists.items.add",
  "tokens.exchangeApiKey",
  "tokens.exchangePublishableKey",
  "tokens.exchangeSessionToken",
  "wishlists.items.add",
  "wishlists.merge",
  "wishlists.recordCart",
]);

/** Codes that a client does not get which sends JSON. */
const PREVENTED = new Set(["invalid_json", "unsupported_media_type"]);

const HEADER = "// Written by `npm run api:write` from the declarations of the endpoints. Do not edit.\n";

const src = new URL("sdk/src/", import.meta.url);
const published = document();

interface Described extends NamedOperation {
  path: string;
  operation: Operation;
}

function operations(): Described[] {
  return Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      name: operation["x-sdk-method"],
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Returns the document without what the SDK has no types of, nine tenths of it: error responses, headers and examples. */
function withoutErrors({ paths, components, webhooks: _, ...rest }: OpenApiDocument): unknown {
  const succeeding = Object.entries(paths).map(([path, methods]): [string, unknown] => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        {
          ...operation,
          parameters: operation.parameters.filter((parameter) => parameter.in !== "header"),
          responses: Object.fromEntries(
            Object.entries(operation.responses)
              .filter(([status]) => status.startsWith("2"))
              .map(([status, response]) => [status, { ...response, headers: undefined }]),
          ),
        },
      ]),
    ),
  ]);
  return { ...rest, paths: Object.fromEntries(succeeding), components: { schemas: components.schemas } };
}

async function types(): Promise<string> {
  const document = JSON.parse(
    JSON.stringify(withoutErrors(published), (key, value: unknown) =>
      ["example", "examples"].includes(key) ? undefined : value,
    ),
  ) as OpenAPI3;
  const declarations = await openapiTS(document, { defaultNonNullable: false });
  const all = astToString(
    declarations.filter(
      (node) => ts.isInterfaceDeclaration(node) && ["components", "operations"].includes(node.name.text),
    ),
  );
  const named = operations().map(({ operationId, name }) => `"${name}": operations["${operationId}"];`);
  return `${HEADER}\n${all}\n/** The operations of the API by the client's methods. */\nexport interface Operations {\n${named.join("\n")}\n}\n`;
}

function table(): string {
  const entries = operations().map(({ name, method, path, operation }) => {
    const query = operation.parameters
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => parameter.name);
    const keyed = operation.parameters.some((parameter) => parameter.name === "Idempotency-Key");
    const repeatable = method !== "POST" || REPEATABLE.has(name);
    const flags = `${operation.security.length === 0 ? "@" : ""}${keyed ? "#" : repeatable ? "" : "!"}`;
    return `"${name}": "${flags}${method} ${path}${query.length === 0 || method === "GET" ? "" : `?${query.join("&")}`}",`;
  });
  return `${HEADER}
/**
 * Method and path of each operation, by the client's method; what of the input is the query, unless all of it is. \`#\`: with an
 * \`Idempotency-Key\`, a repetition changes nothing. \`!\`: a repetition may have another effect. \`@\`: needs no token.
 */
export const OPERATIONS = {\n${entries.join("\n")}\n} as const;\n`;
}

/** Returns the codes of an operation's errors that callers of its method can get. */
function codesOf({ responses }: Operation): string[] {
  const resolved = Object.entries(responses).flatMap(([status, response]) => {
    if (status === "default") return [];
    if (!("$ref" in response)) return response;
    return published.components.responses[response.$ref.split("/").at(-1) ?? ""] ?? [];
  });
  const codes = resolved.flatMap(({ content }) =>
    Object.entries(content ?? {}).flatMap(([, { examples }]) => Object.keys(examples ?? {})),
  );
  return codes.filter((code) => code in published.components.examples && !PREVENTED.has(code));
}

function meaningOf(code: string): string {
  return published.components.examples[code]?.description ?? "";
}

function docstring(lines: readonly string[]): string {
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd().replaceAll("*/", String.raw`*\/`)).join("\n")}\n */`;
}

async function sampleOf(operation: Operation): Promise<string[]> {
  const streams = Object.values(operation.responses).some(
    (response) => "content" in response && "text/event-stream" in (response.content ?? {}),
  );
  const text = await formatText("sample.mts", sdkSample({ operation, streams }));
  return text.trimEnd().split("\n");
}

async function interfaceOf(methods: Group<Described>, common: ReadonlySet<string>): Promise<string> {
  const members = await Promise.all(
    Object.entries(methods).map(async ([name, member]) => {
      if (!isDescribed(member)) return `readonly ${name}: ${await interfaceOf(member, common)};`;
      const { summary, description } = member.operation;
      const failures = codesOf(member.operation).filter((code) => !common.has(code));
      const text = docstring([
        summary,
        ...(description === `${summary}.` ? [] : ["", ...description.split("\n")]),
        "",
        ...(failures.length > 0 ? ["@throws WishlistError"] : []),
        ...failures.map((code) => `- \`${code}\`: ${meaningOf(code)}`),
        "@example",
        ...(await sampleOf(member.operation)),
      ]);
      return `${text}\nreadonly ${name}: Method<"${member.name}">;`;
    }),
  );
  return `{\n${members.join("\n")}\n}`;
}

function isDescribed(member: Described | Group<Described>): member is Described {
  return typeof member.operationId === "string";
}

async function client(): Promise<string> {
  const all = operations();
  const [first = [], ...others] = all
    .filter(({ operation }) => operation.security.length > 0)
    .map(({ operation }) => codesOf(operation));
  const common = new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
  const text = docstring([
    "The methods of the API's operations, grouped by what they are about. Each takes its path parameters, query parameters and body fields in one object.",
    "",
    "@throws WishlistError each method, beside the codes that it names:",
    ...[...common].map((code) => `- \`${code}\`: ${meaningOf(code)}`),
    "- `network_error`, `timed_out`, `invalid_response`: There is no response, or not the service's.",
  ]);
  const members = await interfaceOf(groupMethods(all), common);
  return `${HEADER}\nimport type { Method } from "./method.ts";\n\n${text}\nexport interface Client ${members}\n`;
}

const files = { "openapi.ts": await types(), "operations.ts": table(), "methods.ts": await client() };
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, src);
  const formatted = await formatText(name, text);
  if (!process.argv.includes("--check")) writeFileSync(file, formatted);
  else if (readFileSync(file, "utf8") !== formatted) stale.push(name);
}
if (stale.length > 0) {
  process.stderr.write(`packages/sdk/src: ${stale.join(" and ")} differ from the API. Run \`npm run api:write\`.\n`);
  process.exitCode = 1;
}
