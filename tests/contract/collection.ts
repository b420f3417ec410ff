/** The collection for API clients (Postman's format v2.1, which Insomnia, Bruno and Hoppscotch import), made of the OpenAPI document. */
import { convertV2 } from "openapi-to-postmanv2";
import { z } from "zod";
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
    replaces: '"8261504012487"',
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

const text = z.object({ content: z.string() });
const field = z.object({
  key: z.string(),
  value: z.string(),
  disabled: z.boolean().nullish(),
  description: text.nullish(),
});
const convertedRequest = z.object({
  name: z.string(),
  request: z.object({
    method: z.string(),
    description: text,
    header: z.array(field),
    url: z.object({ path: z.array(z.string()), query: z.array(field) }),
    // A request without a body has an empty one.
    body: z.object({ raw: z.string().optional() }).nullish(),
  }),
});
const converted = z.object({
  item: z.array(z.object({ name: z.string(), item: z.array(convertedRequest) })),
});

type Converted = z.infer<typeof converted>;
type Field = z.infer<typeof field>;

/** A header or a parameter of the query, as the collection has it. */
interface Shown {
  key: string;
  value: string;
  disabled?: true;
  description?: string;
}

/** Returns the parameter with an example, because the converter invents a value for a parameter that has none. */
function withExample(parameter: Parameter): Parameter {
  const { schema, example } = parameter;
  return { ...parameter, example: example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0] ?? "" };
}

/** Returns the document with what the collection needs: no errors, which the documentation explains. */
function reduced(document: OpenApiDocument): OpenApiDocument {
  const operationOf = (operation: Operation): Operation => ({
    ...operation,
    parameters: operation.parameters.map(withExample),
    responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))),
  });
  const pathOf = (methods: Record<string, Operation>): Record<string, Operation> =>
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, operationOf(operation)]));
  const paths = Object.entries(document.paths).map(([path, methods]) => [path, pathOf(methods)] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

async function convert(document: OpenApiDocument): Promise<Converted> {
  return new Promise((resolve, reject) => {
    convertV2(
      { type: "json", data: JSON.parse(JSON.stringify(document)) },
      { folderStrategy: "Tags", parametersResolution: "Example", enableOptionalParameters: false },
      (error, result) => {
        if (error || !result?.result)
          reject(new Error(`the converter failed: ${error?.message ?? String(result?.reason)}`));
        else resolve(converted.parse(result.output?.[0]?.data));
      },
    );
  });
}

/** Replaces the document's examples by variables. */
function withVariables(json: string): string {
  return VARIABLES.reduce((changed, { key, replaces }) => {
    if (replaces === undefined) return changed;
    const [, name] = /^("\w+": )\d+$/.exec(replaces) ?? [];
    return changed.replaceAll(replaces, name === undefined ? `"{{${key}}}"` : `${name}{{${key}}}`);
  }, json);
}

function fieldOf({ key, value, disabled, description }: Field): Shown {
  // A new key each time: with the document's example, the second request would return the first one's response.
  const shown = key === "Idempotency-Key" ? "{{$guid}}" : value;
  return {
    key,
    value: key === "product_id" ? "{{productId}}" : shown,
    ...(disabled === true ? { disabled } : {}),
    ...(description ? { description: description.content } : {}),
  };
}

function script(listen: "prerequest" | "test", source: string): object {
  return { listen, script: { type: "text/javascript", exec: source.split("\n") } };
}

function eventsOf(operationId: string): object[] {
  const sets = Object.entries(RESULTS[operationId] ?? {}).map(
    ([variable, place]) => `  pm.collectionVariables.set("${variable}", ${place});`,
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

function requestOf({ name, request }: Converted["item"][number]["item"][number], document: OpenApiDocument): object {
  const path = request.url.path.map((part) => part.replace(/^:(\w+)$/, "{$1}"));
  const operation = document.paths[`/${path.join("/")}`]?.[request.method.toLowerCase()];
  if (!operation) throw new Error(`the converter made a request of no operation: ${request.method} /${path.join("/")}`);
  const events = eventsOf(operation.operationId);
  const headers = request.header.map(fieldOf);
  if (operation.operationId === "exchangePublishableKey") headers.push({ key: "Origin", value: "{{origin}}" });
  const segments = path.map((part) => part.replace(/^\{(\w+)\}$/, "{{$1}}"));
  const query = request.url.query.map(fieldOf);
  const search = query.flatMap(({ key, value, disabled }) => (disabled ? [] : [`${key}=${value}`])).join("&");
  return {
    name,
    ...(events.length > 0 ? { event: events } : {}),
    request: {
      method: request.method,
      description: request.description.content,
      ...(operation.security.length === 0 ? { auth: { type: "noauth" } } : {}),
      header: headers,
      url: {
        // Some clients read `raw` only.
        raw: `{{baseUrl}}/${segments.join("/")}${search === "" ? "" : `?${search}`}`,
        host: ["{{baseUrl}}"],
        path: segments,
        ...(query.length > 0 ? { query } : {}),
      },
      ...(request.body?.raw !== undefined
        ? { body: { mode: "raw", raw: withVariables(request.body.raw), options: { raw: { language: "json" } } } }
        : {}),
    },
  };
}

/** Deletions come last, so that the requests of a folder can be sent from top to bottom. */
function inOrderOfUse(requests: Converted["item"][number]["item"]): Converted["item"][number]["item"] {
  const isDeletion = ({ request }: { request: { method: string } }): boolean => request.method === "DELETE";
  return [...requests.filter((request) => !isDeletion(request)), ...requests.filter(isDeletion)];
}

/** Returns the collection: a folder for each tag, and variables for what differs between services. */
export async function collectionOf(document: OpenApiDocument): Promise<object> {
  const { item } = await convert(reduced(document));
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
    item: item.map(({ name, item: requests }) => ({
      name,
      description: document.tags.find((tag) => tag.name === name)?.description ?? "",
      item: inOrderOfUse(requests).map((request) => requestOf(request, document)),
    })),
  };
}
