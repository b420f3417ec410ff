import { serverCredentials } from "@wishlist-headless/sdk/server";
import { afterEach, expect, test, vi } from "vitest";

const KEY = { apiKey: "wlk_1", apiSecret: "wls_1" };

afterEach(() => void vi.unstubAllGlobals());

test("serverCredentials refuses to run in a browser and says what to use instead", () => {
  vi.stubGlobal("window", {});
  expect(() => serverCredentials(KEY)).toThrow("createStorefrontClient");
});

test("serverCredentials exchanges key and secret, bound to a customer and narrowed to scopes", () => {
  const credentials = serverCredentials({ ...KEY, customerId: "7001", scope: "read_wishlists" });
  expect(credentials).toEqual({
    operation: "exchangeToken",
    input: { api_key: "wlk_1", api_secret: "wls_1", customer_id: "7001", scope: "read_wishlists" },
  });
});
