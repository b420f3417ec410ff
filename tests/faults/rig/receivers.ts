import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { portOf } from "../../support/http/ports.ts";

const eventSchema = z.object({
  event: z.string(),
  timestamp: z.iso.datetime(),
  data: z.object({
    customerId: z.string(),
    productId: z.string().optional(),
    variantId: z.string().optional(),
    shareUrl: z.string().optional(),
  }),
});

/** An event as it first arrived at a receiver. */
export interface Arrival {
  id: string;
  event: string;
  customerId: string;
  productId: string | undefined;
  /** position in the order of arrival at this receiver */
  sequence: number;
  /** when the change was made */
  changedAt: number;
  /** milliseconds from the change to the arrival */
  lagMs: number;
  /** further arrivals of the same event */
  repeats: number;
}

/** The receiver of one shop. It verifies signatures and refuses timestamps that are more than five minutes off. */
export interface Receiver {
  url: string;
  /** Sets the secret of the subscription. Requests before that are refused. */
  setSecret: (secret: string) => void;
  arrivals: ReadonlyMap<string, Arrival>;
  /** number of requests with an invalid signature or timestamp, or before the secret is set */
  refused: number;
}

export interface Receivers {
  open: (name: string) => Receiver;
  /** the URL of a receiver that accepts requests and never responds */
  hangingUrl: string;
  close: () => Promise<void>;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

class ShopReceiver implements Receiver {
  readonly url: string;
  refused = 0;
  readonly arrivals = new Map<string, Arrival>();
  #webhook: Webhook | undefined;

  constructor(url: string) {
    this.url = url;
  }

  setSecret(secret: string): void {
    this.#webhook = new Webhook(secret);
  }

  /** @returns the status of the response */
  accept(request: IncomingMessage, text: string): number {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      if (!this.#webhook) throw new Error("the receiver has no secret yet");
      this.#webhook.verify(text, headers);
    } catch {
      this.refused++;
      return 401;
    }
    const id = headers["webhook-id"] ?? "";
    const known = this.arrivals.get(id);
    if (known) {
      known.repeats++;
      return 204;
    }
    const { event, timestamp, data } = eventSchema.parse(JSON.parse(text));
    const changedAt = Date.parse(timestamp);
    this.arrivals.set(id, {
      id,
      event,
      customerId: data.customerId,
      productId: data.productId,
      sequence: this.arrivals.size,
      changedAt,
      lagMs: Date.now() - changedAt,
      repeats: 0,
    });
    return 204;
  }
}

/** Starts one HTTP server with a receiver for each shop. */
export async function startReceivers(): Promise<Receivers> {
  const shops = new Map<string, ShopReceiver>();
  const server = createServer((request, response) => {
    const shop = shops.get(request.url ?? "");
    // A sender that is killed leaves an incomplete request, which does not count.
    void readText(request).then(
      (text) => {
        if (shop) response.writeHead(shop.accept(request, text)).end();
      },
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    hangingUrl: `${origin}/hanging`,
    open(name) {
      const receiver = new ShopReceiver(`${origin}/${name}`);
      shops.set(`/${name}`, receiver);
      return receiver;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
