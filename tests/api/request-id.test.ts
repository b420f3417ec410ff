import { expect } from "vitest";
import { test } from "../support/app/fixtures.ts";
import { sendRaw } from "../support/http/raw.ts";

test.for(["9f8c3a1e-5b52-4d8e-9a56-2f2c8a7a7f0e", "Root=1-67891233:abcdef/0123+=~", "a".repeat(128)])(
  "the caller's X-Request-Id %s is logged beside our own and returned",
  async (id, { app, call, shop }) => {
    const headers = { "x-request-id": id };
    for (const path of ["/v1/wishlists/c1", "/v1/nothing", "/v1/%zz", "/healthz"]) {
      const response = await call("GET", path, { token: shop.token, headers });
      expect(response.headers.get("x-client-request-id")).toBe(id);
      const line = app.log().at(-1);
      expect(line).toMatchObject({ msg: "request", clientRequestId: id });
      if (path.startsWith("/v1")) expect(line?.["requestId"]).toBe(response.headers.get("x-request-id"));
    }
  },
);

test.for(["a b", 'x","level":"error', "x;y", "é", "a".repeat(129), "a, b", ""])(
  "the X-Request-Id %j of a caller is neither logged nor returned",
  async (id, { app, call, shop }) => {
    const response = await call("GET", "/v1/wishlists/c1", { token: shop.token, headers: { "x-request-id": id } });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-client-request-id")).toBeNull();
    expect(app.log().at(-1)).not.toHaveProperty("clientRequestId");
  },
);

test("two X-Request-Id headers of a request are neither logged nor returned", async ({ app }) => {
  const url = await app.listen();
  const head =
    "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: one\r\nX-Request-Id: two\r\nConnection: close\r\n\r\n";
  const { status, headers } = await sendRaw(url, head);
  expect([status, headers.get("x-client-request-id")]).toEqual([200, null]);
  expect(JSON.stringify(app.log())).not.toMatch(/"one|"two/);
});
