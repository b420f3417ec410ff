import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export const HOST = "127.0.0.1";

export type Handler = (request: Request, clientAddress: string) => Promise<Response>;

/** Adapts a handler of web requests to Node's servers. */
function toListener(handler: Handler): RequestListener {
  const listen = getRequestListener((request, { incoming }) =>
    handler(request, incoming.socket.remoteAddress?.replace("::ffff:", "") ?? HOST),
  );
  return (incoming, outgoing) => void listen(incoming, outgoing);
}

export interface Listeners {
  /** Starts listening. @returns the port */
  open: (port: number, handler: Handler, server?: (listener: RequestListener) => Server) => Promise<number>;
  closeAll: () => Promise<void>;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

export function createListeners(): Listeners {
  const servers: Server[] = [];
  return {
    async open(port, handler, create = createServer) {
      const server = create(toListener(handler));
      server.listen(port, HOST);
      await once(server, "listening");
      servers.push(server);
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    },
    async closeAll() {
      await Promise.all(servers.splice(0).map(close));
    },
  };
}
