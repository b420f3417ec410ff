import type { Config } from "./config.ts";
import type { Channel } from "./channel.ts";

const RETRY = "x-shopify-retry-invalid-session-request";
const REAUTHORIZE = "x-shopify-api-request-failure-reauthorize-url";

/**
 * Adds a session token to requests to the app. Retries once with a fresh token if the app refuses the first, and follows the
 * app's request to reauthorize in the whole admin.
 */
export function patchFetch(channel: Channel, { appOrigins }: Config, idToken: () => Promise<string>): void {
  const unpatched = window.fetch.bind(window);
  const allowed = new Set([location.origin, ...appOrigins]);

  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!allowed.has(new URL(request.url).origin) || request.headers.has("authorization"))
      return unpatched(input, init);
    const retry = request.clone();
    const response = await unpatched(await authorized(request, idToken));
    if (response.status === 401 && response.headers.has(RETRY)) {
      return unpatched(await authorized(retry, idToken));
    }
    const reauthorizeUrl = response.headers.get(REAUTHORIZE);
    if (reauthorizeUrl !== null) channel.send({ type: "open", url: new URL(reauthorizeUrl, location.href).href });
    return response;
  };
}

async function authorized(request: Request, idToken: () => Promise<string>): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${await idToken()}`);
  headers.set("x-requested-with", "XMLHttpRequest");
  return new Request(request, { headers });
}
