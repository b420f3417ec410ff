import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { download } from "../../app/platform/download.server.ts";

const LIMITS = { least: 100, window: 1_000, deadline: 5_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a download of 60-byte pieces. */
function begin(count = 1_000) {
  const ends: (string | undefined)[] = [];
  let left = false;
  async function* pieces(): AsyncGenerator<string, void> {
    try {
      for (let n = 0; n < count; n++) {
        await Promise.resolve();
        yield "x".repeat(60);
      }
    } finally {
      left = true;
    }
  }
  const stream = download(pieces(), LIMITS, (cutOff) => ends.push(cutOff));
  return { reader: stream.getReader(), ends, isLeft: () => left };
}

test("a download whose reader stops fails and releases its resources", async () => {
  const { reader, ends, isLeft } = begin();
  await reader.read();
  await vi.advanceTimersByTimeAsync(LIMITS.window);
  expect(ends).toEqual([expect.stringContaining("received 60 bytes")]);
  expect(isLeft()).toBe(true);
  await expect(reader.read()).rejects.toThrow("received 60 bytes");
});

test("a download whose reader is just fast enough continues", async () => {
  const { reader, ends } = begin(6);
  for (let n = 0; n < 6; n += 2) {
    await reader.read();
    await reader.read();
    await vi.advanceTimersByTimeAsync(LIMITS.window);
  }
  expect((await reader.read()).done).toBe(true);
  expect(ends).toEqual([undefined]);
});

test("a download fails at its deadline, however fast its reader is", async () => {
  const { reader, ends, isLeft } = begin();
  for (let at = 0; at < LIMITS.deadline; at += 500) {
    for (let n = 0; n < 4; n++) await reader.read();
    await vi.advanceTimersByTimeAsync(500);
  }
  await expect(reader.read()).rejects.toThrow("did not finish");
  expect([ends, isLeft()]).toEqual([[expect.stringContaining("did not finish")], true]);
});

test("a download whose reader disconnects ends once", async () => {
  const { reader, ends, isLeft } = begin();
  await reader.read();
  await reader.cancel();
  await vi.advanceTimersByTimeAsync(LIMITS.deadline);
  expect([ends, isLeft()]).toEqual([[undefined], true]);
});

test("a download that is never read fails", async () => {
  const { ends } = begin();
  await vi.advanceTimersByTimeAsync(LIMITS.window);
  expect(ends).toHaveLength(1);
});

test("a client that stops reading gets a broken transfer", async () => {
  vi.useRealTimers();
  async function* pieces(): AsyncGenerator<string, void> {
    for (;;) {
      await Promise.resolve();
      yield "x".repeat(64 * 1024);
    }
  }
  let cut = (): void => undefined;
  const cutOff = new Promise<void>((resolve) => (cut = resolve));
  const limits = { least: 1, window: 200, deadline: 60_000 };
  // The server logs to the console what it could not send.
  const said = vi.spyOn(console, "error").mockReturnValue(undefined);
  const listener = getRequestListener(() => new Response(download(pieces(), limits, () => cut())));
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const request = get({ host: "127.0.0.1", port: typeof address === "object" && address ? address.port : 0 });
  const [response]: IncomingMessage[] = await once(request, "response");
  await cutOff;
  response?.resume();
  await expect(once(response ?? request, "end")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(response?.complete).toBe(false);
  server.close();
  said.mockRestore();
});
