import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";

export interface Received {
  /** `webhook-id` */
  id: string;
  /** `webhook-timestamp`, seconds */
  timestamp: number;
  signature: string;
  headers: Record<string, string>;
  text: string;
  /** the event; of a batch the first one */
  body: z.infer<typeof bodySchema>;
  /** the events of a batch with their ids; undefined without a batch */
  batch: z.infer<typeof batchSchema>["events"] | undefined;
  /** `performance.now()` after the body was read */
  at: number;
}

const bodySchema = z.object({
  event: z.string(),
  timestamp: z.string(),
  shop: z.string(),
  data: z.record(
    z.string(),
    z
      .union([
        z.string(),
        z.number(),
        z.boolean(),
        z.record(z.string(), z.string().nullable()),
        z.array(z.record(z.string(), z.unknown())),
      ])
      .nullable(),
  ),
});

const batchSchema = z.object({ events: z.array(bodySchema.extend({ id: z.string() })) });

type Responder = (response: ServerResponse, received: Received) => void;

/** A receiver of webhooks: a real HTTP server on this machine. */
export interface Receiver {
  url: string;
  /** all requests so far, in order of arrival */
  received: readonly Received[];
  /** Sets the response to later requests; initially 204. */
  respondWith: (responder: Responder | number) => void;
  /** Resolves with all requests once there are `count`, or once the predicate holds. */
  until: (count: number | ((received: readonly Received[]) => boolean)) => Promise<readonly Received[]>;
  close: () => Promise<void>;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const content: unknown = JSON.parse(text);
  const batch = batchSchema.safeParse(content).data?.events;
  return {
    id: headers["webhook-id"] ?? "",
    timestamp: Number(headers["webhook-timestamp"]),
    signature: headers["webhook-signature"] ?? "",
    headers,
    text,
    body: bodySchema.parse(batch ? batch[0] : content),
    batch,
    at: performance.now(),
  };
}

function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  return once(server, "listening").then(() => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let arrived: (() => void)[] = [];
  let respond: Responder = (response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    // The sender may be killed during a request: an incomplete request does not count.
    read(request).then(
      (one) => {
        received.push(one);
        respond(response, one);
        const waiting = arrived;
        arrived = [];
        for (const resolve of waiting) resolve();
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respondWith(next) {
      respond = typeof next === "number" ? (response) => void response.writeHead(next).end() : next;
    },
    async until(wanted) {
      const enough = typeof wanted === "number" ? () => received.length >= wanted : () => wanted(received);
      while (!enough()) {
        await new Promise<void>((resolve) => {
          arrived.push(resolve);
        });
      }
      return received;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
