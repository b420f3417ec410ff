import { z } from "zod";
import type { Target } from "../load/workload.ts";

const created = z.object({ data: z.object({ webhookId: z.string() }) });

async function call({ url, token }: Target, method: "POST" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/v1/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${token ?? ""}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} /v1/webhooks${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Does the work while each of the receiver's paths is subscribed to additions. */
export async function whileSubscribed<T>(
  ours: Target,
  receiver: Target,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const ids: string[] = [];
  try {
    for (const path of paths) {
      const answer = await call(ours, "POST", "", { url: receiver.url + path, events: ["wishlist.item.added"] });
      ids.push(created.parse(answer).data.webhookId);
    }
    return await work();
  } finally {
    for (const id of ids) await call(ours, "DELETE", `/${id}`);
  }
}
