import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { callKlaviyo } from "../../../app/klaviyo/api.server.ts";
import { provideEnv } from "../../../app/platform/process/env.server.ts";
import { serviceEnv } from "../../support/app/service.ts";

const LIMIT = 64 * 1_024;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Lets a server respond in Klaviyo's place. */
async function respond(listener: RequestListener): Promise<void> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  provideEnv({
    ...serviceEnv("postgres://127.0.0.1/none"),
    NODE_ENV: "test",
    DEVSTORE_URL: `http://127.0.0.1:${address.port}`,
  });
}

test("a response without an end is read up to a limit, and the connection is closed", async () => {
  const part = Buffer.alloc(16_384, "x");
  const closed = Promise.withResolvers<undefined>();
  await respond((_, response) => {
    response.on("close", () => closed.resolve(undefined));
    const write = (): void => {
      if (!response.destroyed && response.write(part)) setImmediate(write);
    };
    response.on("drain", write);
    write();
  });
  const { status, error, text } = await callKlaviyo("pk_test", "/api/accounts");
  expect([status, error, text?.length]).toEqual([200, null, LIMIT]);
  await closed.promise;
});

test("a character that is sent in two parts is read as one", async () => {
  await respond((_, response) => {
    const [first, ...rest] = Buffer.from("é");
    response.write(Buffer.from([first ?? 0]), () => response.end(Buffer.from(rest)));
  });
  expect((await callKlaviyo("pk_test", "/api/accounts")).text).toBe("é");
});

test.for([
  ["30", 30_000],
  ["999999999", 12 * 3_600_000],
  ["Fri, 27 Nov 2026 10:00:00 GMT", undefined],
  ["", undefined],
] as const)("the Retry-After %j is a wait of %s ms", async ([retryAfter, ms]) => {
  await respond((_, response) => response.writeHead(429, { "retry-after": retryAfter }).end("{}"));
  expect(await callKlaviyo("pk_test", "/api/accounts")).toMatchObject({ status: 429, retryAfterMs: ms });
});

test("a redirect is not followed, because it would take the key elsewhere", async () => {
  const paths: (string | undefined)[] = [];
  await respond(({ url }, response) => {
    paths.push(url);
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  expect(await callKlaviyo("pk_test", "/api/accounts")).toMatchObject({ status: 302 });
  expect(paths).toEqual(["/api/accounts"]);
});

test.for([
  [
    "Klaviyo's reason, of which 300 characters are kept",
    JSON.stringify({ errors: [{ detail: "n".repeat(400) }] }),
    "n".repeat(300),
  ],
  ["no reason where Klaviyo gives none", "<html>", "no reason was given"],
] as const)("a refusal has %s", async ([, body, reason]) => {
  await respond((_, response) => response.writeHead(400).end(body));
  expect(await callKlaviyo("pk_test", "/api/accounts")).toMatchObject({
    status: 400,
    error: `Klaviyo refused the request: ${reason}`,
  });
});
