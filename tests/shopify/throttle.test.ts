import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  AdminApiError,
  queryAdminApi,
  connectAdminApi,
  type AdminApiResult,
} from "../../app/admin-api/client.server.ts";
import { withThrottleRetry } from "../../app/admin-api/throttle.server.ts";

/** Milliseconds, clearly longer than no delay. */
const LONG = 250;
/** Node's timers may fire a millisecond early. */
const EARLY = 2;

let requestedAt: number[];
let responses: (() => AdminApiResult<string> | undefined)[];

beforeEach(() => {
  requestedAt = [];
  responses = [];
});

async function ask(): Promise<AdminApiResult<string> | undefined> {
  requestedAt.push(performance.now());
  return responses[requestedAt.length - 1]?.();
}

const response = (restoredIn = 0) => ({ data: "a response", restoredIn });
const fail = (reason: AdminApiError["reason"], retryAfter?: number) => (): never => {
  throw new AdminApiError(reason, reason, retryAfter === undefined ? {} : { retryAfter });
};
const never = new AbortController().signal;

describe("a background request to the Admin API", () => {
  test("is repeated while Shopify throttles it, at the time that Shopify names", async () => {
    responses = [fail("throttled", LONG), fail("throttled", LONG), () => response()];
    expect(await withThrottleRetry(ask, never)).toBe("a response");
    expect(requestedAt).toHaveLength(3);
    const waits = requestedAt.slice(1).map((at, index) => at - (requestedAt[index] ?? Infinity));
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(LONG - EARLY);
  });

  test("ends when its cost is restored, so that the next is not throttled", async () => {
    responses = [() => response(LONG)];
    expect(await withThrottleRetry(ask, never)).toBe("a response");
    expect(performance.now() - (requestedAt[0] ?? Infinity)).toBeGreaterThanOrEqual(LONG - EARLY);
  });

  test.each(["unreachable", "unauthorized", "too_costly", "refused"] as const)(
    "is not repeated when it is %s",
    async (reason) => {
      responses = [fail(reason), () => response()];
      await expect(withThrottleRetry(ask, never)).rejects.toMatchObject({ reason });
      expect(requestedAt).toHaveLength(1);
    },
  );

  test("of a shop without a connection has no result", async () => {
    expect(await withThrottleRetry(ask, never)).toBeUndefined();
  });

  test("is abandoned when the process stops", async () => {
    const end = new AbortController();
    responses = [
      () => {
        end.abort();
        return fail("throttled", 3_600_000)();
      },
    ];
    await expect(withThrottleRetry(ask, end.signal)).rejects.toMatchObject({ name: "AbortError" });
    await expect(withThrottleRetry(ask, end.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect(requestedAt).toHaveLength(1);
  });
});

describe("the cost that Shopify reports", () => {
  const cost = (currentlyAvailable: number): object => ({
    cost: {
      requestedQueryCost: 100,
      throttleStatus: { maximumAvailable: 1000, currentlyAvailable, restoreRate: 50 },
    },
  });
  afterEach(() => {
    connectAdminApi(async () => undefined);
  });
  const queryWith = (body: object): Promise<AdminApiResult<string> | undefined> => {
    const expires = new Date(Date.now() + 3_600_000);
    connectAdminApi(async () => ({ accessToken: "token", expires, query: async () => Response.json(body) }));
    return queryAdminApi("a.myshopify.com", "query { name }", { variables: {}, schema: z.string(), within: 60_000 });
  };

  test.each([
    [40, 1_200],
    [100, 0],
    [900, 0],
  ])("determines the delay: with %i left of 100 needed, %i ms", async (left, restoredIn) => {
    expect(await queryWith({ data: "a response", extensions: cost(left) })).toEqual({ data: "a response", restoredIn });
  });

  test("causes no delay when it is missing", async () => {
    expect(await queryWith({ data: "a response" })).toEqual({ data: "a response", restoredIn: 0 });
    expect(await queryWith({ data: "a response", extensions: { cost: "much" } })).toEqual(response());
  });
});
