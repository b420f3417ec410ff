import { fields, isFields, type Fields } from "./checked.ts";

/** Milliseconds after which a request counts as failed. */
export const TIMEOUT = 20_000;

/** What became of a request. */
export interface Result {
  /** of a success */
  data?: Fields | undefined;
  /** of a failure: the service's status; undefined when it sent no response */
  status?: number | undefined;
  /** of a failure: the service's code, message and status, and the seconds until a retry as `retryAfter` */
  error: Fields;
}

/**
 * Posts to the app through the store's app proxy, without members that are "" or []. The request is sent even if the shopper leaves the page.
 * @param proxy the app proxy's path in the store
 * @returns undefined when there was no response
 */
export function post(proxy: string, path: string, body: Fields): Promise<Response | undefined> {
  return fetch(`${proxy}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body, (_key, value: unknown) => (String(value) ? value : undefined)),
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch(() => undefined);
}

/** Tells whether a response is a page. A failure is JSON. */
export function isPage(response: Response | undefined): response is Response {
  return !!response?.ok && !(response.headers.get("content-type") ?? "").includes("json");
}

/** Reads a JSON response, or a failure. Status and wait of a failure are in the body, because Shopify's app proxy replaces responses other than 2xx. */
export async function resultOf(response: Response | undefined): Promise<Result> {
  const json: unknown = await response?.json().catch(() => null);
  const { data, error } = fields(json);
  const failure = fields(error);
  return {
    data: isFields(data) ? data : undefined,
    status: Number(failure["status"]) || undefined,
    error: failure,
  };
}
