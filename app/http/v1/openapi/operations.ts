import { z } from "zod";
import type { Description, Endpoint } from "../../endpoint.server.ts";
import type { EndpointResource, MountedEndpoint } from "../../resource.server.ts";
import { statusOf } from "../../failure-registry.ts";
import { codeSamples } from "./code-samples.ts";
import type {
  ResponseObject,
  Content,
  ExampleObject,
  OpenApiDocument,
  Operation,
  WebhookOperation,
} from "./document.ts";
import { ANY_PATH_CODES, codesOf, errorExample, errorSchema, meaningOf, type ApiCode } from "./errors.ts";
import { HEADERS, headersOf, references, type HeaderName, type HeaderReferences } from "./headers.ts";
import { IDEMPOTENCY_KEY, IF_NONE_MATCH, LAST_EVENT_ID, parametersOf } from "./parameters.ts";
import { Schemas, type Schema } from "./schemas.ts";

/** The texts of the document that do not come from the endpoints' declarations. */
export interface Guide {
  title: string;
  version: string;
  summary: string;
  /** Markdown */
  description: string;
  license: { name: string; identifier: string };
  tags: Record<Exclude<Description["tag"], "Storefront">, string>;
  /** descriptions of path parameters, whose schemas are shared with bodies and have none */
  parameters: Readonly<Record<string, string>>;
  /** ids of the operations whose responses have an ETag */
  conditional: readonly string[];
}

const JSON_TYPE = "application/json";

/** An event that the service sends to receivers. */
export interface SentEvent {
  event: string;
  meaning: string;
  body: z.ZodType;
}

/** Returns the OpenAPI document of the resources and events, in their order. */
export function openapiDocument(
  resources: readonly EndpointResource[],
  events: readonly SentEvent[],
  guide: Guide,
): OpenApiDocument {
  const schemas = new Schemas();
  const errors = new ErrorResponses(schemas);
  const paths = Object.fromEntries(
    resources.map(({ path, endpoints }) => [
      path,
      Object.fromEntries(
        endpoints.map((endpoint) => [
          endpoint.method.toLowerCase(),
          operationOf(path, endpoint, guide, schemas, errors),
        ]),
      ),
    ]),
  );
  const webhooks = Object.fromEntries(events.map((sent) => [sent.event, { post: webhookOperation(sent, schemas) }]));
  const { title, version, summary, description, license } = guide;
  const anywhere = errors.response(
    "Errors raised before routing: unknown path (404), malformed path (400), unsupported method (405), body too large (413), headers too large (431), request not received in time (408).",
    ANY_PATH_CODES,
    references(["X-Request-Id", "Allow"]),
  );
  return {
    openapi: "3.1.0",
    info: { title, version, summary, description, license },
    servers: [{ url: "/", description: "This service" }],
    tags: Object.entries(guide.tags).map(([name, text]) => ({ name, description: text })),
    paths,
    webhooks,
    components: {
      schemas: schemas.components,
      responses: { Anywhere: anywhere, ...errors.responses },
      headers: HEADERS,
      examples: errors.examples,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token from `POST /v1/auth/token`. Each operation names the scope that it requires.",
        },
      },
    },
  };
}

/** Collects the error responses and examples of a document as components, to which operations refer. */
class ErrorResponses {
  readonly examples: Record<string, ExampleObject> = {};
  readonly responses: Record<string, ResponseObject> = {};
  readonly #envelope: Schema;

  constructor(schemas: Schemas) {
    this.#envelope = schemas.add(errorSchema, "output");
  }

  /** Returns a reference to the response with these codes, which all have the same status. */
  reference(codes: readonly ApiCode[], headers: HeaderName[]): { $ref: string } {
    const quota = headers.includes("RateLimit") ? "" : ".uncounted";
    const name = `${codes.join(".")}${quota}`;
    const description = codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join("\n\n");
    this.responses[name] ??= this.response(description, codes, references(headers));
    return { $ref: `#/components/responses/${name}` };
  }

  response(description: string, codes: readonly ApiCode[], headers: HeaderReferences): ResponseObject {
    for (const code of codes)
      this.examples[code] ??= { summary: code, description: meaningOf(code), value: errorExample(code) };
    const narrowed = { properties: { error: { properties: { code: { enum: [...codes] } } } } };
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    return {
      description,
      headers,
      content: { [JSON_TYPE]: { schema: { allOf: [this.#envelope, narrowed] }, examples } },
    };
  }
}

function operationOf(
  path: string,
  endpoint: MountedEndpoint,
  guide: Guide,
  schemas: Schemas,
  errors: ErrorResponses,
): Operation {
  const { operationId, sdkMethod, tag, summary, description, access, writes } = endpoint;
  if (sdkMethod === undefined) throw new Error(`${operationId}: declare the SDK's method as \`sdkMethod\``);
  const readsBody = !(endpoint.body instanceof z.ZodUndefined);
  const conditional = guide.conditional.includes(operationId);
  const parameters = [
    ...parametersOf(endpoint.params, "path", endpoint, guide, schemas),
    ...parametersOf(endpoint.query, "query", endpoint, guide, schemas),
    ...(conditional ? [IF_NONE_MATCH] : []),
    ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.streams ? [LAST_EVENT_ID] : []),
  ];
  const names = parameters.map(({ name }) => name);
  const notes = [
    description ?? `${summary}.`,
    access.scope === undefined ? "" : `Requires the scope \`${access.scope}\`.`,
    writes ? "Does not support HEAD, because it may change data." : "",
  ];
  const operation = {
    operationId,
    "x-sdk-method": sdkMethod,
    tags: [tag],
    summary,
    description: notes.filter((note) => note !== "").join("\n\n"),
    security: access.kind === "bearer" ? [{ bearer: access.scope === undefined ? [] : [access.scope] }] : [],
    parameters,
    ...(readsBody ? { requestBody: requestBody(endpoint, schemas) } : {}),
    responses: responsesOf(endpoint, codesOf(endpoint, readsBody, names), conditional, schemas, errors),
  };
  const { method, streams = false } = endpoint;
  const samples = codeSamples({ method, path, operation, kind: access.kind, streams });
  return { ...operation, "x-codeSamples": samples };
}

function webhookOperation({ event, meaning, body }: SentEvent, schemas: Schemas): WebhookOperation {
  const schema = schemas.add(body, "output");
  return {
    operationId: `receive.${event}`,
    tags: ["Webhooks"],
    summary: meaning,
    security: [],
    description: `${meaning}. Sent to webhooks that subscribe to \`${event}\`, signed as Standard Webhooks specifies. *(additive)*`,
    requestBody: { required: true, content: { [JSON_TYPE]: { schema, example: schemas.example(schema, event) } } },
    responses: {
      default: {
        description: "2xx: the event is delivered. 410: the webhook is disabled. Any other: it is delivered again.",
      },
    },
  };
}

function requestBody(
  { operationId, body, bodyExamples }: Endpoint,
  schemas: Schemas,
): NonNullable<Operation["requestBody"]> {
  const schema = schemas.add(body, "input");
  if (bodyExamples) return { required: true, content: { [JSON_TYPE]: { schema, examples: bodyExamples } } };
  const path = `${operationId}'s body`;
  const whole = schemas.example(schema, path);
  const partly = schemas.hasOptional(schema) && (schemas.resolve(schema).required ?? []).length > 0;
  const content: Content = partly
    ? {
        schema,
        examples: {
          required: { summary: "Required fields", value: schemas.example(schema, path, { optional: false }) },
          all: { summary: "All fields", value: whole },
        },
      }
    : { schema, example: whole };
  return { required: true, content: { [JSON_TYPE]: content } };
}

function responsesOf(
  endpoint: Endpoint,
  codes: readonly ApiCode[],
  tagged: boolean,
  schemas: Schemas,
  errors: ErrorResponses,
): Operation["responses"] {
  const charged = endpoint.access.kind !== "unmetered";
  const status = endpoint.status ?? 200;
  const out: Operation["responses"] = {
    [status]: {
      description: "Success",
      headers: references(headersOf(status, { charged, tagged })),
      content: successContent(endpoint, schemas),
    },
  };
  if (tagged) {
    out["304"] = {
      description: "Nothing has changed since the response whose `ETag` was sent",
      headers: references(headersOf(304, { charged, tagged })),
    };
  }
  for (const failed of new Set(codes.map(statusOf))) {
    const withStatus = codes.filter((code) => statusOf(code) === failed);
    out[failed] = errors.reference(withStatus, headersOf(failed, { charged }));
  }
  out["default"] = { $ref: "#/components/responses/Anywhere" };
  return out;
}

function successContent({ operationId, data }: Endpoint, schemas: Schemas): Record<string, Content> {
  if (typeof data === "string") {
    const [type = data] = data.split(";");
    return { [type]: { schema: { type: type.endsWith("json") ? "object" : "string" } } };
  }
  const schema = schemas.add(data, "output");
  return {
    [JSON_TYPE]: {
      schema: {
        type: "object",
        properties: { ok: { type: "boolean", const: true }, data: schema },
        required: ["ok", "data"],
      },
      example: { ok: true, data: schemas.example(schema, `${operationId}'s data`) },
    },
  };
}
