import { afterEach, beforeAll, expect, test } from "vitest";
import { holdClock } from "../../../app/platform/clock.server.ts";
import { provideEnv } from "../../../app/platform/process/env.server.ts";
import type { Shopper } from "../../../app/storefront/identity.server.ts";
import { formToken, isFormToken } from "../../../app/storefront/tags.server.ts";
import { ENCRYPTION_KEY, TOKEN_SECRET } from "../../support/app/service.ts";
import { SHOPIFY_ENV } from "../../support/app/storefront.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MADE = Date.parse("2026-03-01T12:00:00.000Z");

const shopper: Shopper = {
  shopId: 1,
  shop: "one.myshopify.com",
  plan: "growth",
  guestLists: true,
  namedLists: true,
  address: "192.0.2.1",
  scopes: new Set(),
  owner: { shopId: 1, kind: "customer", id: "7" },
  client: { id: "app_proxy", kind: "app_proxy" },
  source: "storefront",
  expiresAt: Infinity,
  storePath: "/apps/wishlist",
};

beforeAll(() => {
  provideEnv({ TOKEN_SECRETS: TOKEN_SECRET, ENCRYPTION_KEYS: ENCRYPTION_KEY, ...SHOPIFY_ENV });
});
afterEach(() => {
  holdClock(undefined);
});

test("a form token is valid for one day and one customer", () => {
  holdClock(new Date(MADE));
  const token = formToken(shopper);
  for (const [age, taken] of [
    [0, true],
    [DAY, true],
    [DAY + MINUTE, false],
    [-MINUTE, false],
  ] as const) {
    holdClock(new Date(MADE + age));
    expect([age, isFormToken(token, shopper)]).toEqual([age, taken]);
  }
  holdClock(new Date(MADE));
  expect(isFormToken(token, { ...shopper, owner: { shopId: 1, kind: "customer", id: "8" } })).toBe(false);
  expect(isFormToken(token, { ...shopper, shopId: 2 })).toBe(false);
  // The hash covers the time.
  expect(isFormToken(token.replace(/^\w+/, (MADE + 1).toString(36)), shopper)).toBe(false);
});
