import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { holdClock } from "../../../app/platform/clock.server.ts";
import { dropped, http, raw, sender } from "./fixtures/exchange.ts";

afterEach(() => holdClock(undefined));

describe("a webhook request", () => {
  test("is a POST of the exact body with the given headers and a user agent", async () => {
    const receiver = await http((_, response) => void response.writeHead(200).end("thanks"));
    const body = '{"customerId":"Zoë 🎁"}';
    const result = await sender().send({
      url: `${receiver.url}?a=1&b=%20`,
      headers: { "webhook-id": "msg_1" },
      body,
    });
    expect(result).toEqual({
      status: 200,
      error: null,
      response: "thanks",
      durationMs: expect.any(Number),
      retryAfterMs: undefined,
      ok: true,
    });
    expect(receiver.requests).toEqual([
      {
        method: "POST",
        url: "/hook?a=1&b=%20",
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          connection: "keep-alive",
          "webhook-id": "msg_1",
          "content-type": "application/json",
          "user-agent": "Wishlist-Headless (webhooks)",
          "accept-encoding": "identity",
          "content-length": String(Buffer.byteLength(body)),
        },
        body,
      },
    ]);
  });

  test("reuses an open connection", async () => {
    const receiver = await http((_, response) => void response.end("ok"));
    const { to } = sender();
    for (let i = 0; i < 10; i++) expect(await to(receiver)).toMatchObject({ ok: true });
    expect(receiver.connections.length).toBeLessThan(10);
  });

  test("does not wait for another endpoint's connection to the same host", async () => {
    const receiver = await http((request, response) => {
      if (request.url === "/hook") response.end("ok");
    });
    const { open, to } = sender();
    const hanging = open();
    const underWay = Array.from({ length: 64 }, () =>
      hanging.send({ url: `${receiver.url}/hang`, headers: {}, body: "{}" }),
    );
    expect(await to(receiver)).toMatchObject({ ok: true });
    expect(await Promise.race([...underWay, Promise.resolve("under way")])).toBe("under way");
    await hanging.close();
    for (const result of await Promise.all(underWay)) expect(result).toMatchObject({ ok: false, status: null });
  });

  test("closes its connection when the maximum is kept open", async () => {
    const receiver = await http((_, response) => void response.end("ok"));
    const { open, to } = sender({ maxOpen: 1 });
    await to(receiver);
    await open().send({ url: receiver.url, headers: {}, body: "{}" });
    expect(receiver.requests.map(({ headers }) => headers.connection)).toEqual(["keep-alive", "close"]);
  });
});

describe("a response", () => {
  test.each<[status: number, ok: boolean]>([
    [200, true],
    [201, true],
    [204, true],
    [299, true],
    [400, false],
    [404, false],
    [410, false],
    [500, false],
    [503, false],
  ])("with status %i is a success: %s", async (status, ok) => {
    const receiver = await http((_, response) => void response.writeHead(status).end());
    expect(await sender().to(receiver)).toMatchObject({ status, ok, error: null, response: "" });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])("with status %i is not followed", async (status) => {
    const internal = await http((_, response) => void response.end("secret"));
    const receiver = await http((_, response) => void response.writeHead(status, { location: internal.url }).end());
    expect(await sender().to(receiver)).toMatchObject({ status, ok: false, error: "redirects are not followed" });
    expect(internal.connections).toEqual([]);
  });

  test("is stored without characters that PostgreSQL or a terminal rejects", async () => {
    const bytes = Buffer.concat([Buffer.from("a\0b\x1b[31m\r\nc\td\u009be\x7fé"), Buffer.from([0xff, 0xc3, 0x28])]);
    const receiver = await http((_, response) => void response.end(bytes));
    expect(await sender().to(receiver)).toMatchObject({
      response: "a\uFFFDb\uFFFD[31m\nc\td\uFFFDe\uFFFDé\uFFFD\uFFFD(",
    });
  });

  test("is cut after 2 KiB, and its status decides", async () => {
    const receiver = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(3_000)}`),
    );
    expect(await sender().to(receiver)).toMatchObject({ ok: true, error: null, response: "x".repeat(2_048) });
    await dropped(receiver);
  });

  test("of 10 MB does not delay the next webhook", async () => {
    const receiver = await http((_, response) => void response.writeHead(500).end(Buffer.alloc(10_000_000, "x")));
    const { to } = sender();
    for (let i = 0; i < 2; i++)
      expect(await to(receiver)).toMatchObject({ ok: false, status: 500, error: null, response: "x".repeat(2_048) });
    await dropped(receiver);
    expect(receiver.requests).toHaveLength(2);
  });

  test("is never cut within a character", async () => {
    const receiver = await http((_, response) => void response.end("x" + "é".repeat(2_000)));
    expect(await sender().to(receiver)).toMatchObject({ ok: true, response: "x" + "é".repeat(1_023) });
  });

  test("that is compressed without request is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const receiver = await http(
      (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    expect(await sender().to(receiver)).toMatchObject({ ok: true, error: null, response: "(gzip, not shown)" });
  });
});

describe("Retry-After", () => {
  const HOUR = 60 * 60_000;
  test.each<[header: string, ms: number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    ["43200", 12 * HOUR],
    ["999999999999999999999", 12 * HOUR],
    ["Sun, 01 Mar 2026 12:01:30 GMT", 90_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 12 * HOUR],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
    ["2026-03-01T12:01:30Z", undefined],
    ["Sun, 99 Mar 2026 12:01:30 GMT", undefined],
  ])("of %j means %s ms", async (header, ms) => {
    holdClock(new Date("2026-03-01T12:00:00Z"));
    const receiver = await http((_, response) => void response.writeHead(503, { "retry-after": header }).end());
    expect((await sender().to(receiver)).retryAfterMs).toBe(ms);
  });

  test("is ignored when it is sent twice", async () => {
    const receiver = await raw((socket) =>
      socket.end("HTTP/1.1 503 No\r\nretry-after: 5\r\nretry-after: 6\r\ncontent-length: 0\r\n\r\n"),
    );
    expect((await sender().to(receiver)).retryAfterMs).toBeUndefined();
  });
});

test.each(["", "nonsense", "ftp://127.0.0.1/", "http://", "http://127.0.0.1:99999/"])(
  "an invalid URL (%j) is reported like any other error",
  async (url) => {
    expect(await sender().to({ url })).toMatchObject({ ok: false, status: null, error: expect.any(String) });
  },
);

test("close ends connections and resolves open requests", async () => {
  const idle = await http((_, response) => void response.end());
  const { promise: requested, resolve: request } = Promise.withResolvers<Socket>();
  const busy = await raw(request);
  const { to, close } = sender();
  await to(idle);
  const underWay = to(busy);
  await requested;
  await close();
  expect(await underWay).toMatchObject({
    ok: false,
    status: null,
    error: expect.stringMatching(/^aborted because the service is stopping/),
  });
  await Promise.all([dropped(idle), dropped(busy)]);
  expect(await to(idle)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^aborted because the service is stopping/),
  });
});
