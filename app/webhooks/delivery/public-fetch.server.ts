import { Agent, fetch } from "undici";
import { safeConnector } from "./connect.server.ts";

/**
 * Returns a `fetch` for addresses that were chosen outside the service: it connects to public hosts over HTTPS only.
 * @param timeoutMs milliseconds for connecting
 */
export function publicFetch(timeoutMs: number) {
  const dispatcher = new Agent({ connect: safeConnector({ allowLoopback: false, timeoutMs }) });
  return (...[address, init]: Parameters<typeof fetch>): ReturnType<typeof fetch> =>
    fetch(address, { ...init, dispatcher });
}
