/** Comparison of two OpenAPI documents, to find what would break clients that were written for the first one. */
import { z } from "zod";
import { SchemaComparison, type Report } from "./breaking-schemas.ts";

const schema = z.record(z.string(), z.unknown());
const reference = z.strictObject({ $ref: z.string() });
const header = z.object({ required: z.boolean().default(false), schema });
const content = z.record(z.string(), z.object({ schema }));
const response = z.object({
  headers: z.record(z.string(), z.union([reference, header])).default({}),
  content: content.default({}),
});
const operation = z.object({
  operationId: z.string(),
  "x-sdk-method": z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema })),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
});

/** The parts of an OpenAPI document that programs depend on. */
export const contractSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  /** the events that the service sends, by name */
  webhooks: z.record(z.string(), z.object({ post: z.object({ requestBody: z.object({ content }) }) })).default({}),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
    headers: z.record(z.string(), header),
    securitySchemes: z.record(z.string(), schema),
  }),
});

export type Contract = z.infer<typeof contractSchema>;
type Operation = z.infer<typeof operation>;
type Response = z.infer<typeof response>;
type Header = z.infer<typeof header>;

function componentOf<Part>(parts: Readonly<Record<string, Part>>, { $ref }: { $ref: string }): Part {
  const found = parts[$ref.split("/").at(-1) ?? ""];
  if (found === undefined) throw new Error(`the component ${$ref} does not exist`);
  return found;
}

/** Compares two documents, of which the first is the published one. */
class Comparison {
  readonly breaks = new Set<string>();
  readonly #before: Contract;
  readonly #after: Contract;
  readonly #schemas: SchemaComparison;

  constructor(before: Contract, after: Contract) {
    this.#before = before;
    this.#after = after;
    const components = { before: before.components.schemas, after: after.components.schemas };
    this.#schemas = new SchemaComparison(components, this.#report);
  }

  readonly #report: Report = (part, problem) => {
    this.breaks.add(`${part} ${problem}`);
  };

  run(): void {
    for (const [path, methods] of Object.entries(this.#before.paths)) {
      for (const [method, before] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path}`;
        const after = this.#after.paths[path]?.[method];
        if (after) this.#compareOperations(name, before, after);
        else this.#report(name, "is gone");
      }
    }
    for (const [event, { post: before }] of Object.entries(this.#before.webhooks)) {
      const after = this.#after.webhooks[event]?.post;
      if (after)
        this.#compareContents(`event ${event}`, before.requestBody.content, after.requestBody.content, "received");
      else this.#report(`event ${event}`, "is gone");
    }
    for (const [name, scheme] of Object.entries(this.#before.components.securitySchemes)) {
      const now = this.#after.components.securitySchemes[name];
      if (now?.["type"] !== scheme["type"] || now?.["scheme"] !== scheme["scheme"])
        this.#report(`the security scheme ${name}`, "changed");
    }
  }

  #compareOperations(name: string, before: Operation, after: Operation): void {
    // Generated clients call operations by their ids.
    if (before.operationId !== after.operationId)
      this.#report(name, `changed its operationId from ${before.operationId} to ${after.operationId}`);
    const [method, renamed] = [before["x-sdk-method"], after["x-sdk-method"]];
    if (method !== undefined && method !== renamed)
      this.#report(name, `changed its method in the SDK from ${method} to ${renamed ?? "none"}`);
    this.#compareSecurity(name, before, after);
    this.#compareParameters(name, before, after);
    this.#compareBodies(name, before, after);
    this.#compareResponses(name, before, after);
  }

  /** Whatever was sufficient to call the operation is sufficient. */
  #compareSecurity(name: string, before: Operation, after: Operation): void {
    const alternatives = before.security.length === 0 ? [{}] : before.security;
    const isSufficient = (has: Record<string, string[]>): boolean =>
      after.security.length === 0 ||
      after.security.some((needs) =>
        Object.entries(needs).every(([scheme, scopes]) => {
          const allowed = has[scheme];
          return allowed !== undefined && scopes.every((scope) => allowed.includes(scope));
        }),
      );
    if (!alternatives.every(isSufficient)) this.#report(name, "requires another authentication or scope");
  }

  #compareParameters(name: string, before: Operation, after: Operation): void {
    const keyOf = (parameter: Operation["parameters"][number]): string => `${parameter.in} parameter ${parameter.name}`;
    const known = new Map(before.parameters.map((parameter) => [keyOf(parameter), parameter]));
    const now = new Map(after.parameters.map((parameter) => [keyOf(parameter), parameter]));
    for (const [key, parameter] of known) {
      const changed = now.get(key);
      if (changed) this.#schemas.compare(`${name}: ${key}`, parameter.schema, changed.schema, "sent");
      else this.#report(`${name}: ${key}`, "is gone");
    }
    for (const [key, { required }] of now) {
      if (required && known.get(key)?.required !== true) this.#report(`${name}: ${key}`, "is required now");
    }
  }

  #compareBodies(name: string, { requestBody: before }: Operation, { requestBody: after }: Operation): void {
    if (!before && after?.required) this.#report(`${name}: body`, "is required now");
    if (!before) return;
    // Operations without a body refuse one.
    if (!after) {
      this.#report(`${name}: body`, "is gone");
      return;
    }
    if (after.required && !before.required) this.#report(`${name}: body`, "is required now");
    this.#compareContents(`${name}: body`, before.content, after.content, "sent");
  }

  #compareContents(
    part: string,
    before: Response["content"],
    after: Response["content"],
    direction: "sent" | "received",
  ): void {
    for (const [type, { schema: old }] of Object.entries(before)) {
      const now = after[type];
      if (now) this.#schemas.compare(part, old, now.schema, direction);
      else this.#report(part, `lost the media type ${type}`);
    }
  }

  #compareResponses(name: string, before: Operation, after: Operation): void {
    for (const [status, given] of Object.entries(before.responses)) {
      const part = `${name}: ${status}`;
      const changed = after.responses[status];
      if (changed) this.#compareResponse(part, this.#response(given, "before"), this.#response(changed, "after"));
      else this.#report(part, "is gone");
    }
    for (const status of Object.keys(after.responses)) {
      if (status.startsWith("2") && before.responses[status] === undefined)
        this.#report(`${name}: ${status}`, "is a new status of success");
    }
  }

  #compareResponse(part: string, before: Response, after: Response): void {
    for (const [name, given] of Object.entries(before.headers)) {
      const headerPart = `${part}: header ${name}`;
      const changed = after.headers[name];
      if (!changed) {
        this.#report(headerPart, "is gone");
        continue;
      }
      const [old, now] = [this.#header(given, "before"), this.#header(changed, "after")];
      // Headers are components, so that a change of one is reported once.
      const shared = "$ref" in given ? `header ${name}` : headerPart;
      if (old.required && !now.required) this.#report(shared, "can be absent now");
      this.#schemas.compare(shared, old.schema, now.schema, "received");
    }
    this.#compareContents(part, before.content, after.content, "received");
  }

  #response(given: Operation["responses"][string], side: "before" | "after"): Response {
    if (!("$ref" in given)) return given;
    return componentOf((side === "before" ? this.#before : this.#after).components.responses, given);
  }

  #header(given: Response["headers"][string], side: "before" | "after"): Header {
    if (!("$ref" in given)) return given;
    return componentOf((side === "before" ? this.#before : this.#after).components.headers, given);
  }
}

/** Returns what breaks clients of the document `before` when it becomes `after`: a sentence for each part, such as "GET /v1/changes is gone". */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const comparison = new Comparison(before, after);
  comparison.run();
  return [...comparison.breaks];
}
