import { fields, isFields, type Fields } from "./checked.ts";

/** Milliseconds after which a request counts as failed. */
const TIMEOUT = 20_000;

/** What became of a request. */
export interface Result {
  /** of a success */
  data?: Fields | undefined;
  /** the HTTP status; undefined when there was no response */
  status?: number | undefined;
  /** of a failure: the service's code and message */
  error: Fields;
  /** seconds until a retry, if the service names them; or "" */
  wait: string;
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

/** Reads a JSON response, or a failure. */
export async function resultOf(response: Response | undefined): Promise<Result> {
  const json: unknown = await response?.json().catch(() => undefined);
  const { data, error } = fields(json);
  return {
    data: isFields(data) ? data : undefined,
    status: response?.status,
    error: fields(error),
    wait: response?.headers.get("retry-after") ?? "",
  };
}
