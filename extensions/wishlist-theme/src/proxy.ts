import { fields, isFields, type Fields } from "./checked.ts";
import { setup } from "./page.ts";

/** Milliseconds after which a request counts as failed. */
const PATIENCE = 20_000;

export interface Answer {
  /** of a success */
  data?: Fields | undefined;
  /** the HTTP status; undefined when nothing came back */
  status?: number | undefined;
  /** of a refusal: the service's code and sentence */
  error: Fields;
  /** seconds to wait before the next try, when the service says so */
  wait: string;
}

/** Posts to the app proxy: what is neither "" nor []. It is sent even if the shopper leaves the page. @returns undefined when there was no answer */
export function post(path: string, body: Fields): Promise<Response | undefined> {
  return fetch(`${setup("proxy")}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body, (_key, value: unknown) => (String(value) ? value : undefined)),
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => undefined);
}

/** Asks the service. */
export async function ask(path: string, body: Fields): Promise<Answer> {
  const response = await post(path, body);
  const said: unknown = await response?.json().catch(() => undefined);
  const { data, error } = fields(said);
  return {
    data: isFields(data) ? data : undefined,
    status: response?.status,
    error: fields(error),
    wait: response?.headers.get("retry-after") ?? "",
  };
}
