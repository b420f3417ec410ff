// Writes the parts of the SDK that come from the OpenAPI document: the types of all operations, and the table by which the client calls them.
// `--check` compares instead (npm run check:sdk).
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { format, resolveConfig } from "prettier";
import ts from "typescript";
import { document } from "../app/surfaces/v1/index.server.ts";
import type { OpenApiDocument, Operation } from "../app/http/v1/openapi/document.ts";

/** POST operations that change nothing when they are repeated, and need no `Idempotency-Key` for it. */
const REPEATABLE = new Set([
  "addItem",
  "addListItem",
  "exchangePublishableKey",
  "exchangeSessionToken",
  "exchangeToken",
  "mergeWishlist",
  "recordCart",
]);

const HEADER = "// Written by `npm run api:write` from the declarations of the endpoints. Do not edit.\n";

const src = new URL("sdk/src/", import.meta.url);
const published = document();

function operations(): { id: string; method: string; path: string; operation: Operation }[] {
  return Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
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
  const described = operations().map(({ id, operation: { summary, description } }) => {
    const text = [summary, ...(description === `${summary}.` ? [] : ["", ...description.split("\n")])];
    return `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n${id}: operations["${id}"];`;
  });
  return `${HEADER}\n${all}\n/** The operations of the API with what they do. */\nexport interface Operations {\n${described.join("\n")}\n}\n`;
}

function table(): string {
  const entries = operations().map(({ id, method, path, operation }) => {
    const query = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    const keyed = operation.parameters.some(({ name }) => name === "Idempotency-Key");
    const repeatable = method !== "POST" || REPEATABLE.has(id);
    const flags = `${operation.security.length === 0 ? "@" : ""}${keyed ? "#" : repeatable ? "" : "!"}`;
    return `${id}: "${flags}${method} ${path}${query.length === 0 || method === "GET" ? "" : `?${query.join("&")}`}",`;
  });
  return `${HEADER}
/**
 * Method and path of each operation; what of the input is the query, unless all of it is. \`#\`: with an \`Idempotency-Key\`, a repetition changes
 * nothing. \`!\`: a repetition may have another effect. \`@\`: needs no token.
 */
export const OPERATIONS = {\n${entries.join("\n")}\n} as const;\n`;
}

const files = { "openapi.ts": await types(), "operations.ts": table() };
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, src);
  const options = await resolveConfig(file);
  const formatted = await format(text, { ...options, parser: "typescript" });
  if (!process.argv.includes("--check")) writeFileSync(file, formatted);
  else if (readFileSync(file, "utf8") !== formatted) stale.push(name);
}
if (stale.length > 0) {
  process.stderr.write(`packages/sdk/src: ${stale.join(" and ")} differ from the API. Run \`npm run api:write\`.\n`);
  process.exitCode = 1;
}
