import { z } from "zod";
import { contract } from "../support/app/contract.ts";
import { signedQuery } from "../support/app/storefront.ts";

/** An endpoint under test, of the API or of the storefront. */
export interface Operation {
  /** such as "GET /v1/wishlists/{customerId}" */
  name: string;
  method: string;
  path: string;
  /** the values of a valid body, in the order of its examples; empty for an endpoint that reads none */
  bodies: unknown[];
  form: boolean;
}

/** The ids and tokens that requests to one of two equal shops need. */
export interface World {
  domain: string;
  /** access tokens by what they permit */
  tokens: Record<"all" | "reading" | "writing" | "customer", string>;
  /** fields that replace those of a documented body, by name */
  credentials: Record<string, string>;
  /** values for path parameters and for the fields of bodies without documented examples, by name */
  values: Record<string, unknown>;
}

export interface Case {
  title: string;
  init: RequestInit;
  path: string;
  /** the sent target, where it differs from the path */
  target?: string;
}

interface Described {
  path: string;
  endpoints: readonly { method: string; body: z.ZodType; format?: { type: string } }[];
}
interface RouteModule {
  loader?: { described?: Described };
}

const modules = import.meta.glob<RouteModule>(["../../app/routes/{v1,proxy}.*.ts", "../../app/routes/v1.*/route.ts"], {
  eager: true,
});

/** Returns the endpoints of all resource routes below /v1 and /proxy. */
export function operations(): Operation[] {
  return Object.values(modules).flatMap(({ loader }) => {
    const { described } = loader ?? {};
    if (!described) return [];
    return described.endpoints.map(({ method, body, format }) => ({
      name: `${method} ${described.path}`,
      method,
      path: described.path,
      bodies: examplesOf(described.path, method) ?? [sampleOf(body)].filter((one) => one !== undefined),
      form: format?.type === "application/x-www-form-urlencoded",
    }));
  });
}

/** Returns the documented examples of an operation's body. */
function examplesOf(path: string, method: string): unknown[] | undefined {
  const [content] = Object.values(contract.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {});
  if (!content) return undefined;
  const examples = Object.values(content.examples ?? {}).flatMap((one) => ("value" in one ? [one.value] : []));
  return examples.length > 0 ? examples : [content.example];
}

/** Names the fields of bodies without documented examples; `bodyOf` fills them in. */
function sampleOf(body: z.ZodType): unknown {
  if (body instanceof z.ZodUndefined) return undefined;
  const { properties = {} } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return Object.fromEntries(Object.keys(properties).map((name) => [name, undefined]));
}

function plain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "unknown";
}

function fill(path: string, { values }: World): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plain(values[name])));
}

function bodyOf(example: unknown, { form }: Operation, { values, credentials }: World): string {
  const filled =
    typeof example === "object" && example !== null && !Array.isArray(example)
      ? Object.entries(example).flatMap(([name, value]: [string, unknown]) => {
          const given = name in credentials ? credentials[name] : (value ?? values[name]);
          return given === undefined ? [] : [[name, given] as const];
        })
      : [];
  if (form) return new URLSearchParams(filled.map(([name, value]) => [name, plain(value)])).toString();
  return filled.length > 0 || JSON.stringify(example) === "{}"
    ? JSON.stringify(Object.fromEntries(filled))
    : JSON.stringify(example);
}

const TARGETS: [what: string, change: (path: string) => string][] = [
  ["a trailing slash", (path) => `${path}/`],
  ["a double slash", (path) => path.replace(/\/(?=[^/]*$)/, "//")],
  ["an upper-case path", (path) => path.toUpperCase()],
  [
    "an escaped literal",
    (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ],
  ["a broken escape", (path) => `${path}%2`],
  ["an escaped slash", (path) => `${path}%2Fmore`],
  ["an escaped zero byte", (path) => `${path}%00`],
  ["a dot segment", (path) => `${path}/../x`],
  ["an escaped dot segment", (path) => `${path}/%2e%2E/x`],
  ["an id of 300 characters", (path) => path.replace(/[^/]*$/, "x".repeat(300))],
  ["a raw global id", (path) => path.replace(/[^/]*$/, "gid://shopify/Customer/7")],
  ["Remix's data suffix", (path) => `${path}.data`],
  ["a semicolon", (path) => `${path};v=1`],
  ["characters outside ASCII", (path) => `${path}/ä`],
  ["an absolute form", (path) => `http://elsewhere.example${path}`],
];

const QUERIES = [
  "?index",
  "?_data=routes%2Fx",
  "?_routes=",
  "?x=1",
  "?limit=0",
  "?limit=2&limit=3",
  "?limit=%2",
  "?",
  "?__proto__=1",
];

/** Returns the same requests for every endpoint: one that succeeds, and each kind of request that does not. */
export function cases(operation: Operation, world: World): Case[] {
  const storefront = operation.path.startsWith("/proxy");
  const path = fill(operation.path, world);
  const query = storefront ? `?${signedQuery({ shop: world.domain, customer: "7001" })}` : "";
  const type = operation.form ? "application/x-www-form-urlencoded" : "application/json";
  const [example] = operation.bodies;
  const body = example === undefined ? undefined : bodyOf(example, operation, world);
  // The world's publishable key allows this origin.
  const identity: Record<string, string> = storefront
    ? {}
    : { authorization: `Bearer ${world.tokens.all}`, origin: "https://theme.example" };
  const headers = { ...identity, ...(body === undefined ? {} : { "content-type": type }) };
  const send = (title: string, change: RequestInit & { at?: string; target?: string } = {}): Case => {
    const { at = path + query, target, ...init } = change;
    const sent: RequestInit = { method: operation.method, headers, ...(body === undefined ? {} : { body }), ...init };
    if (sent.method === "GET" || sent.method === "HEAD") delete sent.body;
    return { title, path: at, init: sent, ...(target === undefined ? {} : { target }) };
  };
  const withHeaders = (more: Record<string, string>): RequestInit => ({ headers: { ...headers, ...more } });
  const withToken = (token: string): RequestInit => withHeaders({ authorization: `Bearer ${token}` });

  return [
    ...operation.bodies.map((one, n) => send(`example ${n + 1}`, { body: bodyOf(one, operation, world) })),
    ...(body === undefined ? [send("a valid request", { at: path + (requiredQueryOf(operation) ?? query) })] : []),
    send("the same again"),
    send("no token", { headers: { "content-type": type } }),
    send("an unknown token", withToken("garbage")),
    ...Object.entries(world.tokens).map(([name, token]) => send(`a token: ${name}`, withToken(token))),
    send("another scheme", withHeaders({ authorization: "Basic YTpi" })),
    ...["br", "gzip", "br;q=0, *", "identity;q=0"].map((coding) =>
      send(`Accept-Encoding: ${coding}`, withHeaders({ "accept-encoding": coding })),
    ),
    ...["*", '"1.0.1.0"', "W/x, ,"].map((tag) => send(`If-None-Match: ${tag}`, withHeaders({ "if-none-match": tag }))),
    send("a preflight", {
      method: "OPTIONS",
      headers: { origin: "https://theme.example", "access-control-request-method": operation.method },
    }),
    send("another Origin", withHeaders({ origin: "https://other.example" })),
    send("Accept: text/html", withHeaders({ accept: "text/html" })),
    send("X-Forwarded-For", withHeaders({ "x-forwarded-for": "192.0.2.9, 192.0.2.10" })),
    ...["once", "once", "two words", "x".repeat(256)].map((key) =>
      send(`Idempotency-Key: ${key}`, withHeaders({ "idempotency-key": key })),
    ),
    ...(operation.method === "GET"
      ? []
      : [
          ...["{", "[]", "null", "", '{"__proto__":1}', '{"unknown":true}', "\u{FEFF}{}"].map((text) =>
            send(`the body ${JSON.stringify(text)}`, { body: text, ...withHeaders({ "content-type": type }) }),
          ),
          send("invalid UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]), ...withHeaders({ "content-type": type }) }),
          send("a body over every limit", {
            body: `{"x":"${"x".repeat(600_000)}"}`,
            ...withHeaders({ "content-type": type }),
          }),
          send("no content type", { body: body ?? "{}", headers: identity }),
          send("another content type", { body: body ?? "{}", headers: { ...identity, "content-type": "text/plain" } }),
          send("an encoded body", withHeaders({ "content-encoding": "gzip" })),
          ...wrongFields(example, operation, world).map(([name, text]) => send(`a wrong ${name}`, { body: text })),
        ]),
    ...TARGETS.map(([what, change]) => send(what, { at: path, target: change(path) + query })),
    ...QUERIES.map((more) =>
      send(`the query ${more}`, {
        at: path + query,
        target: path + (query === "" ? more : `${query}&${more.slice(1)}`),
      }),
    ),
    ...(storefront
      ? [
          send("no signature", { at: path }),
          send("a guest", { at: `${path}?${signedQuery({ shop: world.domain })}` }),
          send("an unknown shop", { at: `${path}?${signedQuery({ shop: "nobody.myshopify.com", customer: "7001" })}` }),
        ]
      : []),
    // Last, because some of these requests change or delete data of the others.
    ...["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND"].flatMap((method) =>
      method === operation.method ? [] : [send(`method ${method}`, { method })],
    ),
  ];
}

/** Returns the query with the examples of the parameters that an API operation requires, if there are any. */
function requiredQueryOf({ path, method }: Operation): string | undefined {
  const parameters = contract.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
  const given = parameters.flatMap(({ name, in: place, required, example }) =>
    place === "query" && required ? [[name, String(example)]] : [],
  );
  return given.length === 0 ? undefined : `?${new URLSearchParams(given).toString()}`;
}

/** Returns bodies of which one field each has the wrong type. */
function wrongFields(example: unknown, operation: Operation, world: World): [name: string, text: string][] {
  if (operation.form || typeof example !== "object" || example === null) return [];
  const valid = z.record(z.string(), z.unknown()).parse(JSON.parse(bodyOf(example, operation, world)));
  return Object.keys(valid).flatMap((name) =>
    [null, { a: 1 }, "", -1].map((wrong): [string, string] => [name, JSON.stringify({ ...valid, [name]: wrong })]),
  );
}
