import { z } from "zod";
import type { Store } from "../store/store.ts";

const querySchema = z.strictObject({
  /** an address of the envelope */
  to: z.string().optional(),
  /** only messages after the one with this id */
  after: z.coerce.number().int().min(0).default(0),
  /** seconds to wait for a message when there is none */
  wait: z.coerce.number().min(0).max(60).default(0),
});

/** `GET /devstore/api/inbox`: what the mail server received, newest first. */
export async function inboxApi({ inbox }: Store, url: URL): Promise<Response> {
  const query = querySchema.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success) return Response.json({ ok: false, error: z.prettifyError(query.error) }, { status: 400 });
  const { to, after, wait } = query.data;
  const matches: Parameters<typeof inbox.next>[0] = ({ id, envelope }) =>
    id > after && (to === undefined || envelope.to.includes(to));
  if (wait > 0) await inbox.next(matches, AbortSignal.timeout(wait * 1_000)).catch(() => undefined);
  return Response.json({ ok: true, messages: inbox.messages().filter(matches) });
}
