import { createClient } from "@wishlist-headless/sdk";
import { serverCredentials } from "@wishlist-headless/sdk/server";
import { afterEach, expect, test, vi } from "vitest";

const KEY = { apiKey: "wlk_1", apiSecret: "wls_1" };

afterEach(() => void vi.unstubAllGlobals());

test("serverCredentials refuses to run in a browser and says what to use instead", () => {
  vi.stubGlobal("window", {});
  expect(() => serverCredentials(KEY)).toThrow("createStorefrontClient");
});

test.each<[what: string, options: unknown[], message: string]>([
  ["no options", [], "`apiKey` must be the id of an API key (wlk_…)"],
  ["an unset key", [{ ...KEY, apiKey: undefined }], "`apiKey` must be the id of an API key (wlk_…)"],
  ["an empty key", [{ ...KEY, apiKey: "" }], "`apiKey` must be the id of an API key (wlk_…)"],
  ["an unset secret", [{ ...KEY, apiSecret: undefined }], "`apiSecret` must be the secret of the API key (wls_…)"],
  ["the key as the secret", [{ ...KEY, apiSecret: "wlk_1" }], "`apiSecret` must be the secret of the API key (wls_…)"],
])("serverCredentials refuses %s at once and names it", (_what, options, message) => {
  expect(() => void Reflect.apply(serverCredentials, undefined, options)).toThrow(
    new TypeError(`${message}. Is the environment variable set from which it comes?`),
  );
});

test.each([
  ["no address", [{}]],
  ["an unset address", [{ credentials: "token" }]],
  ["an address without a scheme", [{ url: "wishlist.example.com" }]],
])("createClient refuses %s at once and says what it needs", (_what, options) => {
  expect(() => void Reflect.apply(createClient, undefined, options)).toThrow(
    new TypeError("`url` must be the service's address."),
  );
});

test("a call without credentials says that it needs them", async () => {
  const client = createClient({ url: "http://127.0.0.1:9", credentials: "" });
  await expect(client.wishlists.get({ customerId: "7001" })).rejects.toThrow("This call needs `credentials`.");
});

test("serverCredentials exchanges key and secret, bound to a customer and narrowed to scopes", () => {
  const credentials = serverCredentials({ ...KEY, customerId: "7001", scope: "read_wishlists" });
  expect(credentials).toMatchObject({
    method: "tokens.exchangeApiKey",
    input: { api_key: "wlk_1", api_secret: "wls_1", customer_id: "7001", scope: "read_wishlists" },
  });
});
