import { createClient } from "@wishlist-headless/sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

// Time is simulated, so responses come from a function in place of the network.

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-11-20T09:30:00Z") }));
afterEach(() => void vi.useRealTimers());

const PAGE = { ok: true, data: { items: [], count: 0, total: 0, has_more: false } };

/** Starts a read that gets these responses, then an empty page. @returns how many requests have been sent, and the result */
function read(
  responses: (() => Response)[],
  options: { maxDelay?: number; signal?: AbortSignal } = {},
): { sent: () => number; result: Promise<unknown> } {
  let sent = 0;
  const fetch = () => Promise.resolve(responses[sent++]?.() ?? Response.json(PAGE));
  const client = createClient({ url: "http://127.0.0.1", credentials: "token", fetch });
  const result = client.wishlists.get({}, options);
  result.catch(() => undefined);
  return { sent: () => sent, result };
}

function limited(retryAfter?: string): () => Response {
  const error = { code: "rate_limited", message: "Too many requests.", requestId: "req_1" };
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return () => Response.json({ ok: false, error }, { status: 429, headers });
}

describe("the delay before a repetition", () => {
  test.each([
    ["seconds", "20"],
    ["a date", "Fri, 20 Nov 2026 09:30:20 GMT"],
  ])("is at least Retry-After in %s", async (_, retryAfter) => {
    const { sent, result } = read([limited(retryAfter)]);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toBe(2);
    await expect(result).resolves.toMatchObject({ total: 0 });
    // A timer that goes on would keep a program from ending.
    expect(vi.getTimerCount()).toBe(0);
  });

  test("doubles without Retry-After, and at most halves by chance", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { sent } = read([limited(), limited(), limited()]);
    await vi.advanceTimersByTimeAsync(149);
    expect(sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toBe(2);
    await vi.advanceTimersByTimeAsync(299);
    expect(sent()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toBe(3);
    vi.restoreAllMocks();
  });

  test("that Retry-After makes longer than maxDelay fails the call at once and tells it", async () => {
    const { sent, result } = read([limited("31")]);
    await expect(result).rejects.toMatchObject({ code: "rate_limited", status: 429, retryAfter: 31 });
    expect(sent()).toBe(1);
    const waiting = read([limited("31")], { maxDelay: 60_000 });
    await vi.advanceTimersByTimeAsync(31_000);
    expect(waiting.sent()).toBe(2);
  });

  test("ends at once with the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const { sent, result } = read([limited("20")], { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort(new Error("the page was left"));
    await expect(result).rejects.toThrow("the page was left");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ignores a Retry-After that is no number and no date", async () => {
    const { sent } = read([limited("soon")]);
    await vi.advanceTimersByTimeAsync(300);
    expect(sent()).toBe(2);
  });
});

describe("a stream", () => {
  /** Follows a stream that gets these responses, then silent ones. @returns how many requests have been sent, and the first change */
  function follow(responses: (() => Response)[], signal?: AbortSignal): { sent: () => number; next: Promise<unknown> } {
    let sent = 0;
    const fetch: typeof globalThis.fetch = (_, init) => {
      const silent = new ReadableStream({
        start: (controller) => init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted"))),
      });
      return Promise.resolve(responses[sent++]?.() ?? new Response(silent));
    };
    const client = createClient({ url: "http://127.0.0.1", credentials: "token", fetch });
    const next = client.changes.stream({}, { signal })[Symbol.asyncIterator]().next();
    next.catch(() => undefined);
    return { sent: () => sent, next };
  }

  test("is not connected again before Retry-After", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { sent } = follow([limited("20")]);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toBe(2);
    vi.restoreAllMocks();
  });

  test("that is silent for 45 seconds is connected again", async () => {
    const { sent } = follow([]);
    await vi.advanceTimersByTimeAsync(44_999);
    expect(sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_501);
    expect(sent()).toBe(2);
  });

  test("ends at once with the reason of the caller's signal while nothing comes", async () => {
    const controller = new AbortController();
    const { sent, next } = follow([], controller.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort(new Error("the page was left"));
    await expect(next).rejects.toThrow("the page was left");
    expect(sent()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test.each([Infinity, 2 ** 40])("a timeout of %d ms lets a slow response arrive", async (timeout) => {
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      setTimeout(() => resolve(Response.json(PAGE)), 60_000);
    });
  const client = createClient({ url: "http://127.0.0.1", credentials: "token", fetch, timeout, retries: 0 });
  const result = client.wishlists.get();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(result).resolves.toMatchObject({ total: 0 });
});

describe("a token", () => {
  function issuing(expiresIn: number) {
    let issued = 0;
    const used: string[] = [];
    const client = createClient({
      url: "http://127.0.0.1",
      credentials: () => ({ token: `token-${++issued}`, expiresIn }),
      fetch: (_, init) => {
        used.push(new Headers(init?.headers).get("authorization") ?? "");
        return Promise.resolve(Response.json(PAGE));
      },
    });
    return { client, used };
  }

  test("is renewed half a minute before it expires", async () => {
    const { client, used } = issuing(900);
    await client.wishlists.get();
    await vi.advanceTimersByTimeAsync(869_000);
    await client.wishlists.get();
    await vi.advanceTimersByTimeAsync(1_000);
    await client.wishlists.get();
    expect(used).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
  });

  test("of a very short life is still used for half of it", async () => {
    const { client, used } = issuing(20);
    await client.wishlists.get();
    await vi.advanceTimersByTimeAsync(9_000);
    await client.wishlists.get();
    await vi.advanceTimersByTimeAsync(1_000);
    await client.wishlists.get();
    expect(used).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
  });
});
