import type { z } from "zod";
import type { Endpoint } from "../../endpoint.server.ts";
import type { Parameter } from "./document.ts";
import { HEADERS } from "./headers.ts";
import type { Schema, Schemas } from "./schemas.ts";

export const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of an earlier response. While it still matches, the response is 304 without a body.",
  schema: { type: "string", examples: [HEADERS.ETag.example] },
};

export const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A unique key for this request, such as a UUID. Repeating the request with the same key within 24 hours returns the first response and has no further effect. *(additive)*",
  schema: {
    type: "string",
    pattern: "^[\\x21-\\x7e]{1,255}$",
    minLength: 1,
    maxLength: 255,
    examples: ["5f0c0d8e-6d0b-4b0e-9a44-2f7d1c5e8b13"],
    "x-additive": true,
  },
};

export const LAST_EVENT_ID: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of the last event that the client has. The stream continues after it, whatever `since` is.",
  schema: { type: "string" },
};

/** Returns the parameters of an endpoint in its path or query. @param guide has the descriptions of path parameters */
export function parametersOf(
  zod: z.ZodType,
  location: "path" | "query",
  { operationId }: Endpoint,
  guide: { parameters: Readonly<Record<string, string>> },
  schemas: Schemas,
): Parameter[] {
  const { properties = {}, required = [] } = schemas.resolve(schemas.add(zod, "input"));
  return Object.entries(properties).map(([name, part]) => {
    const { description = guide.parameters[name], ...schema }: Schema = typeof part === "object" ? part : {};
    if (description === undefined) throw new Error(`${operationId}: the parameter ${name} has no description`);
    // zod reports a parameter with a preprocess step as required, although its default makes it optional.
    const needed = location === "path" || (required.includes(name) && schema.default === undefined);
    // Documentation pages prefill parameters with their example, which would send optional parameters by default.
    const example = needed ? schema.examples?.[0] : undefined;
    return {
      name,
      in: location,
      required: needed,
      description,
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });
}
