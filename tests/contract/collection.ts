/** The collection for API clients (Postman's format v2.1, which Insomnia, Bruno and Hoppscotch import), made of the OpenAPI document. */
import type { OpenApiDocument, Operation, Parameter } from "../../app/http/v1/openapi/document.ts";

/** The variables of the collection. `replaces` is the example of the document that the variable takes the place of. */
const VARIABLES: readonly { key: string; value: string; replaces?: string; description: string }[] = [
  { key: "baseUrl", value: "http://127.0.0.1:3000", description: "The service's address; this is the demo's" },
  { key: "apiKey", value: "", replaces: '"wlk_…"', description: "The id of an API key" },
  {
    key: "apiSecret",
    value: "",
    replaces: '"wls_…"',
    description: "Its secret; never share a collection that has one",
  },
  { key: "token", value: "", description: "Set by “Exchange an API key for an access token”" },
  { key: "publishableKey", value: "", replaces: '"wlp_…"', description: "The id of a publishable key" },
  { key: "origin", value: "", description: "An origin that the publishable key allows" },
  {
    key: "guestId",
    value: "",
    replaces: '"pV1yHn5mT0cQx8KfZr3J2w"',
    description: "A guest's secret id; made when empty",
  },
  {
    key: "shopperToken",
    value: "",
    description: "A shopper's token; copy it to `token` to send requests as the shopper",
  },
  {
    key: "customerId",
    value: "newcomer",
    replaces: '"7012503486663"',
    description: "A customer's id; `me` with a token that is bound to a shopper",
  },
  {
    key: "productId",
    value: "8401930311165",
    replaces: '"8401930311165"',
    description: "A product; this one is the demo's",
  },
  { key: "listId", value: "default", replaces: '"lst_7hQ2mX9cR4tV1bN8kZ3pWy"', description: "Set by “Create a list”" },
  { key: "version", value: "1", replaces: '"version": 3', description: "Set by “Read a list's history”" },
  { key: "shareToken", value: "", description: "Set by “Share a wishlist by link”" },
  {
    key: "webhookUrl",
    value: "https://hooks.example.com/wishlist",
    replaces: '"https://hooks.larkfell-outdoor.example/wishlist"',
    description: "Your receiver of webhooks",
  },
  { key: "webhookId", value: "", description: "Set by “Subscribe to events”" },
  { key: "deliveryId", value: "", description: "Set by “List the deliveries of a webhook”" },
];

/** What a successful response sets: variables, by operation, with the place of their value in the response. */
const RESULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  exchangeToken: { token: "data.token" },
  exchangePublishableKey: { shopperToken: "data.token" },
  createList: { listId: "data.listId" },
  deleteList: { listId: '"default"' },
  getListHistory: { version: "data.versions[0].version" },
  shareWishlist: { shareToken: "data.shareToken" },
  shareList: { shareToken: "data.shareToken" },
  createWebhook: { webhookId: "data.webhookId" },
  listWebhookDeliveries: { deliveryId: "data.deliveries[0]?.deliveryId" },
};

const GUEST_ID = `if (!pm.collectionVariables.get("guestId")) {
  pm.collectionVariables.set("guestId", pm.variables.replaceIn("{{$guid}}{{$guid}}").replaceAll("-", ""));
}`;

/** A header or a parameter of the query, as the collection has it. */
interface Field {
  key: string;
  value: string;
  disabled?: true;
  description?: string;
}

/** A request of the document, before it is written in the collection's format. */
interface RequestOfDocument {
  method: string;
  path: string;
  operation: Operation;
}

/** Replaces the document's examples by variables. */
function withVariables(json: string): string {
  return VARIABLES.reduce((changed, { key, replaces }) => {
    if (replaces === undefined) return changed;
    const [, name] = /^("\w+": )\d+$/.exec(replaces) ?? [];
    return changed.replaceAll(replaces, name === undefined ? `"{{${key}}}"` : `${name}{{${key}}}`);
  }, json);
}

/** Returns an example of a parameter's value, or an empty text. */
function exampleOf({ name, schema, example }: Parameter): string {
  if (name === "product_id") return "{{productId}}";
  // A new key each time: with the document's example, the second request would return the first one's response.
  if (name === "Idempotency-Key") return "{{$guid}}";
  const value: unknown = example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0] ?? "";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns what API clients show of a parameter: its description, whether it is required, and its values. */
function descriptionOf({ description, required, schema }: Parameter): string {
  const values = schema.enum ? ` (This can only be one of ${schema.enum.join(",")})` : "";
  return `${required ? "(Required) " : ""}${description}${values}`;
}

/** Returns the headers or the query of an operation; optional ones are switched off. */
function fieldsOf({ parameters }: Operation, location: "header" | "query"): Field[] {
  return parameters
    .filter((parameter) => parameter.in === location)
    .map((parameter) => ({
      key: parameter.name,
      value: exampleOf(parameter),
      ...(parameter.required ? {} : { disabled: true }),
      description: descriptionOf(parameter),
    }));
}

/** Returns the media type of an operation's successful response. */
function acceptedType({ responses }: Operation): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  return success && "content" in success ? Object.keys(success.content ?? {})[0] : undefined;
}

/** Returns the first example of an operation's body, as text. */
function bodyOf({ operationId, requestBody }: Operation): string | undefined {
  const content = requestBody?.content["application/json"];
  if (!content) return undefined;
  const [first] = Object.values(content.examples ?? {});
  const example = content.example ?? (first && "value" in first ? first.value : undefined);
  if (example === undefined) throw new Error(`${operationId} has no example of its body: the collection needs one`);
  return JSON.stringify(example, null, 2);
}

function script(listen: "prerequest" | "test", source: string): object {
  return { listen, script: { type: "text/javascript", exec: source.split("\n") } };
}

function eventsOf(operationId: string): object[] {
  const sets = Object.entries(RESULTS[operationId] ?? {}).map(
    ([variable, location]) => `  pm.collectionVariables.set("${variable}", ${location});`,
  );
  return [
    ...(operationId === "exchangePublishableKey" ? [script("prerequest", GUEST_ID)] : []),
    ...(sets.length > 0
      ? [
          script(
            "test",
            ["if (pm.response.code < 300) {", "  const { data } = pm.response.json();", ...sets, "}"].join("\n"),
          ),
        ]
      : []),
  ];
}

function requestOf({ method, path, operation }: RequestOfDocument): object {
  const events = eventsOf(operation.operationId);
  const [accepted, body] = [acceptedType(operation), bodyOf(operation)];
  const headers = fieldsOf(operation, "header");
  if (body !== undefined) headers.push({ key: "Content-Type", value: "application/json" });
  if (accepted !== undefined) headers.push({ key: "Accept", value: accepted });
  if (operation.operationId === "exchangePublishableKey") headers.push({ key: "Origin", value: "{{origin}}" });
  const segments = path
    .split("/")
    .slice(1)
    .map((part) => part.replace(/^\{(\w+)\}$/, "{{$1}}"));
  const query = fieldsOf(operation, "query");
  const search = query.flatMap(({ key, value, disabled }) => (disabled ? [] : [`${key}=${value}`])).join("&");
  return {
    name: operation.summary,
    ...(events.length > 0 ? { event: events } : {}),
    request: {
      method,
      description: operation.description,
      ...(operation.security.length === 0 ? { auth: { type: "noauth" } } : {}),
      header: headers,
      url: {
        // Some clients read `raw` only.
        raw: `{{baseUrl}}/${segments.join("/")}${search === "" ? "" : `?${search}`}`,
        host: ["{{baseUrl}}"],
        path: segments,
        ...(query.length > 0 ? { query } : {}),
      },
      ...(body !== undefined
        ? { body: { mode: "raw", raw: withVariables(body), options: { raw: { language: "json" } } } }
        : {}),
    },
  };
}

/** Deletions come last, so that the requests of a folder can be sent from top to bottom. */
function inOrderOfUse(requests: readonly RequestOfDocument[]): RequestOfDocument[] {
  const isDeletion = ({ method }: RequestOfDocument): boolean => method === "DELETE";
  return [...requests.filter((request) => !isDeletion(request)), ...requests.filter(isDeletion)];
}

/** Returns the collection: a folder for each tag, and variables for what differs between services. */
export function collectionOf(document: OpenApiDocument): object {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const { title, version } = document.info;
  return {
    info: {
      name: `${title} API ${version}`,
      description:
        "Set `baseUrl`, `apiKey` and `apiSecret`, then send “Exchange an API key for an access token”: it stores the token for all other requests. Requests that create something store its id for those that follow.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: VARIABLES.map(({ key, value, description }) => ({ key, value, description })),
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: inOrderOfUse(requests.filter(({ operation }) => operation.tags[0] === name)).map(requestOf),
    })),
  };
}
