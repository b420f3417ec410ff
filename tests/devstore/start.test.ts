import { createServer } from "node:http";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { provideSettings } from "../../app/platform/env.server.ts";
import { startDevstore } from "../../devstore/start.ts";

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
  await expect(startDevstore(OPTIONS)).rejects.toThrow("NODE_ENV is production");
});

test("an option that is wrong is named", async () => {
  await expect(startDevstore({ ...OPTIONS, appUrl: "http://app.example.com" })).rejects.toThrow(
    "must be an https:// address",
  );
});

test("a port that is taken stops the start, and leaves no other port taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const tlsPort = typeof address === "object" && address !== null ? address.port : 0;
  const first = await startDevstore(OPTIONS);
  const port = Number(new URL(first.url).port);
  await first.close();
  await expect(startDevstore({ ...OPTIONS, port, tlsPort })).rejects.toThrow("EADDRINUSE");
  const second = await startDevstore({ ...OPTIONS, port });
  expect(second.url).toBe(`http://127.0.0.1:${port}`);
  await second.close();
  taken.close();
});
