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

/** Runs `work` while each of the receiver's paths is subscribed to additions. */
export async function whileSubscribed<T>(
  service: Target,
  receiver: Target,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const ids: string[] = [];
  try {
    for (const path of paths) {
      const response = await call(service, "POST", "", { url: receiver.url + path, events: ["wishlist.item.added"] });
      ids.push(created.parse(response).data.webhookId);
    }
    return await work();
  } finally {
    for (const id of ids) await call(service, "DELETE", `/${id}`);
  }
}
