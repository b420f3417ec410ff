import type { Config } from "./config.ts";
import type { Wire } from "./wire.ts";

const RETRY = "x-shopify-retry-invalid-session-request";
const REAUTHORIZE = "x-shopify-api-request-failure-reauthorize-url";

/**
 * Requests to the app carry a session token. One that is refused for its token is sent once more with a fresh one; one
 * that asks for it leads the whole admin elsewhere.
 */
export function patchFetch(wire: Wire, { appOrigins }: Config, idToken: () => Promise<string>): void {
  const unpatched = window.fetch.bind(window);
  const allowed = new Set([location.origin, ...appOrigins]);

  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!allowed.has(new URL(request.url).origin) || request.headers.has("authorization"))
      return unpatched(input, init);
    const again = request.clone();
    const answer = await unpatched(await authorized(request, idToken));
    if (answer.status === 401 && answer.headers.has(RETRY)) {
      return unpatched(await authorized(again, idToken));
    }
    const elsewhere = answer.headers.get(REAUTHORIZE);
    if (elsewhere !== null) wire.send({ type: "open", url: new URL(elsewhere, location.href).href });
    return answer;
  };
}

async function authorized(request: Request, idToken: () => Promise<string>): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${await idToken()}`);
  headers.set("x-requested-with", "XMLHttpRequest");
  return new Request(request, { headers });
}
