import { z } from "zod";
import type { Target } from "../load/workload.ts";

const created = z.object({ data: z.object({ webhookId: z.string() }) });

async function call({ url, token }: Target, method: "POST" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/v1/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${token ?? ""}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /v1/webhooks${path} responded with ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Subscribes an address to events. @returns the webhook's id */
export async function subscribe(
  service: Target,
  url: string,
  events: readonly string[],
  { batch = false } = {},
): Promise<string> {
  return created.parse(await call(service, "POST", "", { url, events, batch })).data.webhookId;
}

/** Runs `work` while each of the receiver's paths is subscribed to additions. */
export async function whileSubscribed<T>(
  service: Target,
  receiver: Target,
  paths: readonly string[],
  work: () => Promise<T>,
  options: { batch?: boolean } = {},
): Promise<T> {
  const ids: string[] = [];
  try {
    for (const path of paths) {
      ids.push(await subscribe(service, receiver.url + path, ["wishlist.item.added"], options));
    }
    return await work();
  } finally {
    for (const id of ids) await call(service, "DELETE", `/${id}`);
  }
}
