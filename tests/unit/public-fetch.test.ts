import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { publicFetch } from "../../app/webhooks/delivery/connect.server.ts";

let server: Server;
let port: number;
let connections: number;

beforeEach(async () => {
  connections = 0;
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(() => void server.close());

test.each(["https://127.0.0.1", "https://localhost", "http://127.0.0.1", "https://[::ffff:127.0.0.1]"])(
  "a request to %s opens no connection",
  async (host) => {
    await expect(publicFetch(1_000)(`${host}:${port}/`)).rejects.toThrow("fetch failed");
    expect(connections).toBe(0);
  },
);
