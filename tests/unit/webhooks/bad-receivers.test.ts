import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { DeliveryResult } from "../../../app/webhooks/delivery/channel.ts";
import { dropped, http, raw, sender } from "./fixtures/exchange.ts";
import type { Receiver } from "./fixtures/receiver.ts";

/** Sends a byte at intervals, endlessly. */
function dribble(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once("close", () => clearInterval(timer));
}

describe("an attempt ends at the time-out", () => {
  const late = { ok: false, error: "no complete response within 0.3 s" };
  const to = (receiver: Receiver) => sender({ timeoutMs: 300 }).to(receiver);

  test("when the receiver never responds", async () => {
    const receiver = await raw(() => undefined);
    expect(await to(receiver)).toMatchObject({ ...late, status: null, response: null });
    await dropped(receiver);
  });

  test("when the headers arrive one byte at a time", async () => {
    const receiver = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
      dribble(socket, "x");
    });
    expect(await to(receiver)).toMatchObject({ ...late, status: null, response: null });
    await dropped(receiver);
  });

  test("when the body arrives one byte at a time, and keeps what has arrived", async () => {
    const receiver = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
      dribble(socket, "x");
    });
    expect(await to(receiver)).toMatchObject({ ...late, status: 200, response: expect.stringMatching(/^x+$/) });
    await dropped(receiver);
  });

  test("when the receiver sends endless interim responses", async () => {
    const receiver = await raw((socket) => dribble(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"));
    expect(await to(receiver)).toMatchObject({ ...late, status: null });
    await dropped(receiver);
  });

  test("for 40 concurrent requests, each on its own connection", async () => {
    const receiver = await raw(() => undefined);
    const patient = sender({ timeoutMs: 1_000 });
    const responses = await Promise.all(Array.from({ length: 40 }, () => patient.to(receiver)));
    expect(new Set(responses.map(({ error }) => error))).toEqual(new Set(["no complete response within 1 s"]));
    // Connections without a request do not count: after a time-out undici opens another unused one.
    await expect.poll(() => receiver.connections.filter(({ bytesRead }) => bytesRead > 0).length).toBe(40);
  });
});

describe("an attempt fails when the receiver breaks HTTP:", () => {
  const closed = "the receiver closed the connection before its response was complete";

  test.each<[string, (socket: Socket) => void, Partial<DeliveryResult>]>([
    ["it hangs up", (socket) => socket.end(), { status: null, response: null, error: `${closed} (UND_ERR_SOCKET)` }],
    ["it resets", (socket) => socket.resetAndDestroy(), { status: null, error: `${closed} (ECONNRESET)` }],
    [
      "it hangs up in the middle of its headers",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nx-a"),
      { status: null, error: `${closed} (UND_ERR_SOCKET)` },
    ],
    [
      "it hangs up in the middle of its body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"),
      { status: 200, response: "half", error: `${closed} (UND_ERR_SOCKET)` },
    ],
    [
      "it hangs up in the middle of a chunk",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf"),
      { status: 200, response: "half", error: `${closed} (UND_ERR_SOCKET)` },
    ],
    [
      "it says something else",
      (socket) => socket.end("220 mail.example ESMTP\r\n"),
      { status: null, error: "the receiver's response is not valid HTTP (HTTPParserError)" },
    ],
    [
      "its chunks are none",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense"),
      { status: 200, error: "the receiver's response is not valid HTTP (HTTPParserError)" },
    ],
    [
      "its headers have no end",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${"x-more: and more\r\n".repeat(2_000)}`),
      { status: null, error: "the response's headers are too large (UND_ERR_HEADERS_OVERFLOW)" },
    ],
  ])("%s", async (_, respond, expected) => {
    const receiver = await raw(respond);
    expect(await sender().to(receiver)).toMatchObject({ ok: false, ...expected });
    // Only the schedule retries.
    expect(receiver.connections).toHaveLength(1);
  });

  test("nothing listens", async () => {
    const receiver = await http(() => undefined);
    await receiver.close();
    expect(await sender().to(receiver)).toMatchObject({
      ok: false,
      status: null,
      error: "the receiver refused the connection (ECONNREFUSED)",
    });
  });
});
