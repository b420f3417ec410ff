import { WishlistError } from "./errors.ts";
import { fieldsOf } from "./fields.ts";
import type { Client } from "./methods.ts";
import { OPERATIONS } from "./operations.ts";
import { itemsOf, nextPage, PAGED, type PagedName } from "./pages.ts";
import { randomId } from "./random.ts";
import { invalidResponse, parse, send, type ReceivedResponse, type Call, type Refusal } from "./request.ts";
import type { Responding, RequestOptions, Transport } from "./request.ts";
import { followChanges, type StreamedChange } from "./stream.ts";
import { tokenCache, type IssuedToken, type Tokens } from "./tokens.ts";
import type { Input, MethodName } from "./types.ts";

/** Responses that the client keeps to send their `ETag` with the next read. */
const KEPT_RESPONSES = 100;

/** A request for a token, as `serverCredentials` of `@wishlist-headless/sdk/server` returns it. */
export interface TokenExchange {
  method: "tokens.exchangeApiKey";
  input: Input<"tokens.exchangeApiKey">;
  /** sent with every request */
  headers: Readonly<Record<string, string>>;
}

export interface ClientOptions {
  /** the service's address, such as `https://wishlist.example.com` */
  url: string;
  /** milliseconds for one attempt, including its body; 10,000 by default */
  timeout?: number | undefined;
  /** repetitions of a request after its first attempt; 3 by default */
  retries?: number | undefined;
  /** milliseconds of the longest `Retry-After` that a call waits for; 30,000 by default */
  maxDelay?: number | undefined;
  /** replaces the runtime's fetch */
  fetch?: typeof fetch | undefined;
  /** sent as `Origin` where the runtime does not set it: servers and mobile apps */
  origin?: string | undefined;
}

/** An access token; a function that gets one from your server; or `serverCredentials(…)`. */
export type Credentials = string | (() => Promise<string | IssuedToken> | string | IssuedToken) | TokenExchange;

/**
 * Creates a client.
 * @param options.credentials without them, only operations that need no token succeed
 * @throws TypeError for a `url` that is none
 */
export function createClient({
  credentials,
  ...options
}: ClientOptions & { credentials?: Credentials | undefined }): Client {
  const exchange = typeof credentials === "object" ? credentials : undefined;
  const calls = createCalls({ ...options, headers: exchange?.headers }, async () => {
    if (exchange) return toIssuedToken(await calls.call(exchange.method, exchange.input));
    if (!credentials) throw new TypeError("This call needs `credentials`.");
    const issued = typeof credentials === "function" ? await credentials() : credentials;
    // A token of unknown lifetime is used until the service refuses it.
    return typeof issued === "string" ? { token: issued, expiresIn: Infinity } : toIssuedToken(issued);
  });
  return toClient(calls);
}

export function toIssuedToken(data: unknown): IssuedToken {
  const { token, expiresIn } = fieldsOf(data);
  if (typeof token === "string" && typeof expiresIn === "number") return { token, expiresIn };
  throw new WishlistError({ code: "invalid_response", message: "The response has no `token` and `expiresIn`." });
}

/** Calls methods by their name, without the types that `Client` gives to input and output. */
export interface Calls {
  call: (name: MethodName, input?: object, options?: RequestOptions) => Responding<unknown>;
  stream: (input?: object, options?: RequestOptions) => AsyncIterable<StreamedChange>;
  tokens: Tokens;
}

/** @param issue gets a token */
export function createCalls(
  {
    url,
    timeout = 10_000,
    retries = 3,
    maxDelay = 30_000,
    fetch,
    origin,
    headers: common,
  }: ClientOptions & { headers?: Readonly<Record<string, string>> | undefined },
  issue: (refusal: Refusal | undefined) => Promise<IssuedToken>,
): Calls {
  const base = baseOf(url);
  const transport: Transport = {
    // Browsers require the global object as `this`. A later replacement, such as that of a tracing library, takes part.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    timeout,
    retries,
    maxDelay,
  };
  const tokens = tokenCache(issue);
  const kept = new Map<string, { tag: string; text: string }>();

  function keep(key: string, response: { tag: string; text: string }): void {
    kept.delete(key);
    kept.set(key, response);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_RESPONSES && oldest !== undefined) kept.delete(oldest);
  }

  function prepare(name: MethodName, input: object, options: RequestOptions, more: Record<string, string> = {}): Call {
    const [, flags = "", method = "", pattern = "", queryNames] =
      /^(\W*)(\w+) ([^?]+)\??(.*)$/.exec(OPERATIONS[name]) ?? [];
    const { customerId = "me" }: { customerId?: unknown } = input;
    const { path, rest } = fillPath(name, pattern, { ...input, customerId });
    const query = new URLSearchParams();
    const body: Record<string, unknown> = {};
    for (const [field, value] of rest) {
      if (method === "GET" || queryNames?.split("&").includes(field)) {
        for (const one of Array.isArray(value) ? value : [value]) query.append(field, String(one));
      } else body[field] = value;
    }
    const headers: Record<string, string> = { ...common, ...more, ...(origin !== undefined && { origin }) };
    if (flags.includes("#")) headers["idempotency-key"] = options.idempotencyKey ?? randomId();
    const search = String(query);
    const text = JSON.stringify(body);
    return {
      method,
      url: base + path + (search && `?${search}`),
      headers: () => headers,
      body: text === "{}" ? undefined : text,
      repeatable: !flags.includes("!"),
      token: flags.includes("@") ? undefined : tokens.get,
      options,
    };
  }

  async function receive(name: MethodName, input: object, options: RequestOptions): Promise<ReceivedResponse> {
    const call = prepare(name, input, options);
    if (call.method !== "GET") return send(transport, call);
    let key = "";
    let known: { tag: string; text: string } | undefined;
    const received = await send(transport, {
      ...call,
      headers(token) {
        // Under the token, because another shopper may log in on this device.
        key = `${call.url} ${token ?? ""}`;
        known = kept.get(key);
        return { ...call.headers(token), ...(known && { "if-none-match": known.tag }) };
      },
    });
    if (received.status === 304 && known) received.text = known.text;
    const tag = received.headers.get("etag");
    if (tag !== null) keep(key, { tag, text: received.text });
    return received;
  }

  return {
    call(name, input = {}, options = {}) {
      const receiving = receive(name, input, options);
      const reading = receiving.then((received) => dataOf(name, received));
      return Object.assign(reading, {
        // The data first: a caller of this alone handles its failure, too.
        withResponse: async () => ({ data: await reading, response: await receiving }),
      });
    },
    stream: (input = {}, options = {}) =>
      followChanges((lastEventId, attempt) => {
        const resume: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
        return send(transport, { ...prepare("changes.stream", input, attempt, resume), streams: true });
      }, options),
    tokens,
  };
}

function baseOf(url: string): string {
  if (!URL.canParse(url)) throw new TypeError("`url` must be the service's address.");
  return new URL(url).href.replace(/\/$/, "");
}

/** Puts fields into a path. @returns the path, and the other fields that have a value */
function fillPath(name: string, pattern: string, fields: object): { path: string; rest: [string, unknown][] } {
  const rest = new Map<string, unknown>(Object.entries(fields));
  const path = pattern.replace(/{(\w+)}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    // A URL would lose an empty segment, and `.` and `..` would lead to another operation.
    if (["", ".", ".."].includes(text)) throw new TypeError(`${name} needs ${field}.`);
    return encodeURIComponent(text);
  });
  rest.delete("customerId");
  return { path, rest: [...rest].filter(([, value]) => value !== undefined) };
}

/** Makes the methods of a client, in their groups. */
export function toClient({ call, stream }: Calls): Client {
  const client: object = {};
  const groups = new Map([["", client]]);

  function place(name: string, member: object): void {
    const [, path = "", own = name] = /^(.+)\.(.+)$/.exec(name) ?? [];
    let group = groups.get(path);
    if (!group) {
      groups.set(path, (group = {}));
      place(path, group);
    }
    Object.assign(group, { [own]: member });
  }

  for (const name of Object.keys(OPERATIONS) as MethodName[]) {
    const method = (input?: object, options?: RequestOptions) =>
      isPaged(name) ? paged(call, name, input, options) : call(name, input, options);
    place(name, name === "changes.stream" ? stream : method);
  }
  // The table and the types come from the same document.
  return client as Client;
}

function isPaged(name: string): name is PagedName {
  return name in PAGED;
}

function paged(call: Calls["call"], name: PagedName, input: object = {}, options?: RequestOptions): unknown {
  const first = call(name, input, options);
  async function* pages(): AsyncGenerator<Record<string, unknown>, void, undefined> {
    let selected = input;
    for (let page = fieldsOf(await first); ; page = fieldsOf(await call(name, selected, options))) {
      yield page;
      const next = nextPage(name, selected, page);
      if (next === undefined) return;
      selected = { ...selected, ...next };
    }
  }
  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) yield* itemsOf(name, page);
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

function dataOf(name: MethodName, received: ReceivedResponse): unknown {
  if (name === "docs.page") return received.text;
  const body = parse(received.text);
  if (name === "docs.openapi") return body;
  const { ok, data } = fieldsOf(body);
  if (ok !== true) throw invalidResponse(received);
  return data;
}
