import { z } from "zod";
import { EVENT_DESCRIPTIONS, type Event } from "./events.ts";

/** The parts of a JSON schema that hold an example. */
interface Described {
  const?: unknown;
  example?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: Described[] | undefined;
  /** the schema itself, when it has an id */
  $defs?: Record<string, Described> | undefined;
  properties?: Record<string, Described> | undefined;
  items?: Described | undefined;
}

const describedSchema: z.ZodType<Described> = z.object({
  const: z.unknown().optional(),
  example: z.unknown().optional(),
  enum: z.unknown().array().optional(),
  anyOf: z.lazy(() => describedSchema.array()).optional(),
  $defs: z.lazy(() => z.record(z.string(), describedSchema)).optional(),
  properties: z.lazy(() => z.record(z.string(), describedSchema)).optional(),
  items: z.lazy(() => describedSchema).optional(),
});

function exampleOf(schema: Described): unknown {
  const [identified] = Object.values(schema.$defs ?? {});
  if (identified) return exampleOf(identified);
  if (schema.const !== undefined) return schema.const;
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.items) return [exampleOf(schema.items)];
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
}

/** Returns the body of a delivery with the examples of the event's description. */
export function exampleBody(event: Event): unknown {
  const description = EVENT_DESCRIPTIONS.find((one) => one.event === event);
  if (!description) throw new Error(`The event ${event} has no description.`);
  return exampleOf(describedSchema.parse(z.toJSONSchema(description.body, { reused: "inline" })));
}
