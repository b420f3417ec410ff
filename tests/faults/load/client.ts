import { setTimeout as after } from "node:timers/promises";
import { Agent, request, type Dispatcher } from "undici";
import { exchange } from "../../support/app/shop.ts";
import { client } from "../../support/app/client.ts";
import type { ServiceProcess } from "../rig/services.ts";
import type { Shop } from "../rig/shops.ts";
import type { Balancer } from "./balancer.ts";
import type { Kind, Operation } from "./operations.ts";

/** Milliseconds after which a client gives up on a response. The service must respond earlier. */
const CLIENT_TIMEOUT = 30_000;
/** Milliseconds before a request is repeated after a connection error. */
const RETRY_DELAY = 100;
/** Milliseconds above which the time between two attempts grows no further. */
const LONGEST_DELAY = 8_000;

/**
 * ok: 2xx; refused: 503 with Retry-After; error: any other response; connection: refused, reset or closed; hang: no response in time.
 */
export type Outcome = "ok" | "refused" | "error" | "connection" | "hang";

/** One HTTP request of an operation. */
export interface Attempt {
  web: number;
  kind: Kind;
  shop: Shop;
  /** `performance.now()` */
  startedAt: number;
  endedAt: number;
  outcome: Outcome;
  /** status and error code, or the error of the connection */
  detail: string;
}

interface Reply {
  outcome: Outcome;
  detail: string;
  body: unknown;
  /** milliseconds */
  retryAfter: number;
}

function codeOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("error" in body)) return "";
  const { error } = body;
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

async function toReply({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Reply> {
  const text = await body.text();
  const parsed: unknown = JSON.parse(text);
  if (statusCode < 300) return { outcome: "ok", detail: "", body: parsed, retryAfter: 0 };
  const wait = Number(headers["retry-after"] ?? NaN);
  const outcome = statusCode === 503 && wait > 0 ? "refused" : "error";
  const retryAfter = wait > 0 ? wait * 1_000 : RETRY_DELAY;
  return { outcome, detail: `${statusCode} ${codeOf(parsed)}`, body: parsed, retryAfter };
}

function connectionFailure(error: unknown): Reply {
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  const detail = error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  return { outcome: timedOut ? "hang" : "connection", detail, body: undefined, retryAfter: RETRY_DELAY };
}

/** A client that repeats failed requests at the other web process, as the API guide recommends. */
export class Client {
  readonly attempts: Attempt[] = [];
  readonly #webs: readonly ServiceProcess[];
  readonly #balancer: Balancer;
  readonly #agent = new Agent({ connections: null, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 20_000 });
  /** `performance.now()` after which nothing is repeated any more */
  deadline = Infinity;

  constructor(webs: readonly ServiceProcess[], balancer: Balancer) {
    this.#webs = webs;
    this.#balancer = balancer;
  }

  /** Sends an operation until it succeeds, and records the result. */
  async perform(operation: Operation): Promise<void> {
    let web = this.#balancer.choose();
    let certain = true;
    for (let failures = 0; ; failures++) {
      const reply = await this.#send(web, operation);
      if (reply.outcome === "ok") {
        operation.succeeded(reply.body, certain);
        return;
      }
      certain = false;
      if (reply.detail.startsWith("401")) await this.#authenticate(web, operation.customer.shop);
      // Twice as long each time, and not all clients at once.
      const delay = Math.min(LONGEST_DELAY, reply.retryAfter * 2 ** failures) * (1 + Math.random() / 2);
      if (performance.now() + delay > this.deadline) {
        operation.unresolved();
        return;
      }
      await after(delay);
      web = this.#balancer.choose(web);
    }
  }

  async #send(web: number, { kind, customer: { shop }, method, path, body }: Operation): Promise<Reply> {
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${shop.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const reply = await request((this.#webs[web]?.url ?? "") + path, {
      dispatcher: this.#agent,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT),
    })
      .then(toReply)
      .catch(connectionFailure);
    const { outcome, detail } = reply;
    this.attempts.push({ web, kind, shop, startedAt, endedAt: performance.now(), outcome, detail });
    return reply;
  }

  /** Gets a new token after a 401, which the service returns for an expired one. */
  async #authenticate(web: number, shop: Shop): Promise<void> {
    const call = client(this.#webs[web]?.url ?? "");
    shop.token = await exchange(call, shop).catch(() => shop.token);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
