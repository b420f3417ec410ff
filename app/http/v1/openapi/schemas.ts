import { z } from "zod";

/** A JSON Schema (2020-12), as OpenAPI 3.1 embeds it. */
export type Schema = z.core.JSONSchema.BaseSchema;

/** The side of a zod schema: what a caller sends, or what the service returns. */
export type Side = "input" | "output";

const COMPONENTS = "#/components/schemas/";
const DEFINITIONS = "#/$defs/";
const ADDITIVE = "*(additive)*";

/** Replaces zod's pattern for times, which checks leap years. Readers only need to know that milliseconds and `Z` are always present. */
const EXACT_TIME = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;
const ONE_CLASS = /^\^\[[^\]]*\]\{(\d+),(\d+)\}\$$/;

/** Converts zod's JSON Schema to the form that readers and tools of an API expect. */
function tidy(schema: Schema, side: Side): void {
  if ("example" in schema) {
    schema.examples = [schema["example"]];
    delete schema["example"];
  }
  // zod adds the bounds of JavaScript's safe integers, which are not rules of the API.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time" && schema.pattern !== undefined) {
    if (schema.pattern.includes(String.raw`\.\d{3}(?:Z)`)) schema.pattern = EXACT_TIME;
    else delete schema.pattern;
  }
  // Property names are always strings.
  if (isObject(schema.propertyNames) && Object.keys(schema.propertyNames).join() === "type")
    delete schema.propertyNames;
  const [, shortest, longest] = ONE_CLASS.exec(schema.pattern ?? "") ?? [];
  if (shortest !== undefined && longest !== undefined) {
    schema.minLength = Number(shortest);
    schema.maxLength = Number(longest);
  }
  // Responses may gain fields within a version, so the schema must allow other fields.
  if (side === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  // An optional schema inherits the description of the one in it, with the mark.
  if (schema["x-additive"] === true && !(schema.description ?? "").endsWith(ADDITIVE)) {
    schema.description = `${schema.description ?? ""} ${ADDITIVE}`.trimStart();
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rewrites references within the schema to references into the document. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? inner.replace(DEFINITIONS, COMPONENTS) : relocate(inner),
    ]),
  );
}

/** Collects the JSON Schemas of one document. Schemas with an id (`.meta({ id })`) become components. */
export class Schemas {
  readonly components: Record<string, Schema> = {};

  /** Returns a zod schema as a JSON Schema, or as a reference to its component. */
  add(schema: z.ZodType, side: Side): Schema {
    const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
      io: side,
      override: ({ jsonSchema }) => {
        tidy(jsonSchema, side);
      },
    });
    const relocated: Schema = { ...made };
    const definitions = relocated.$defs ?? {};
    delete relocated.$defs;
    for (const [id, definition] of Object.entries(definitions)) this.#keep(id, { ...toSchema(relocate(definition)) });
    return toSchema(relocate(relocated));
  }

  #keep(id: string, schema: Schema): void {
    const known = this.components[id];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the id ${id}; use different ids for requests and responses`);
    }
    this.components[id] = schema;
  }

  /** Follows a reference into the components. */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = this.components[schema.$ref.slice(COMPONENTS.length)];
    if (!found) throw new Error(`the component ${schema.$ref} does not exist`);
    return found;
  }

  /**
   * Builds an example value of the schema from the examples of its parts.
   * @param path names the schema in the error about a part without an example
   */
  example(schema: Schema, path: string, { optional }: { optional: boolean } = { optional: true }): unknown {
    const at = this.resolve(schema);
    if (at.examples && at.examples.length > 0) return at.examples[0];
    if (at.const !== undefined) return at.const;
    if (at.enum) return at.enum[0];
    // For a nullable schema, the example is the other type.
    const [first] = at.anyOf ?? [];
    if (isSchema(first)) return this.example(first, path, { optional });
    if (at.type === "array" && isSchema(at.items)) return [this.example(at.items, `${path}[0]`, { optional })];
    if (at.type === "object" && at.properties) {
      const entries = Object.entries(at.properties).filter(([name]) => optional || at.required?.includes(name));
      return Object.fromEntries(
        entries.map(([name, part]) => [name, this.example(toSchema(part), `${path}.${name}`, { optional })]),
      );
    }
    throw new Error(`${path} has no example; give its schema one with .meta({ example })`);
  }

  /** Tells whether the schema, or an object inside it, has optional fields. */
  hasOptional(schema: Schema): boolean {
    const at = this.resolve(schema);
    if (at.type === "array" && isSchema(at.items)) return this.hasOptional(at.items);
    return Object.entries(at.properties ?? {}).some(
      ([name, part]) => !at.required?.includes(name) || this.hasOptional(toSchema(part)),
    );
  }
}

function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

function toSchema(value: unknown): Schema {
  if (!isSchema(value)) throw new Error("zod returned a JSON Schema that is not an object");
  return value;
}
