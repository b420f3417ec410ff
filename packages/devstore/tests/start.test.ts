// @module-tag matrix

import { createServer } from "node:http";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { provideSettings } from "../../../app/platform/process/env.server.ts";
import { createDevstore } from "../devstore.ts";

const OPTIONS = {
  appUrl: "https://app.example.com",
  appAddress: "http://127.0.0.1:9",
  apiKey: "key",
  apiSecret: "secret",
};

afterEach(() => {
  process.env.NODE_ENV = "test";
  provideSettings({});
});

test("the devstore refuses to start in production", async () => {
  process.env.NODE_ENV = "production";
  provideSettings({});
  await expect(createDevstore(OPTIONS)).rejects.toThrow("NODE_ENV is production");
});

test("an invalid option is named in the error", async () => {
  await expect(createDevstore({ ...OPTIONS, appUrl: "http://app.example.com" })).rejects.toThrow(
    "must be an https:// address",
  );
});

test("a port in use stops the start and releases the other ports", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const tlsPort = typeof address === "object" && address !== null ? address.port : 0;
  const first = await createDevstore(OPTIONS);
  const port = Number(new URL(first.url).port);
  await first.close();
  await expect(createDevstore({ ...OPTIONS, port, tlsPort })).rejects.toThrow("EADDRINUSE");
  const second = await createDevstore({ ...OPTIONS, port });
  expect(second.url).toBe(`http://127.0.0.1:${port}`);
  await second.close();
  taken.close();
});
