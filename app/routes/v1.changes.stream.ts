import { openStream, streamQuery, toFilter } from "../changes/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";

const TYPE = "text/event-stream; charset=utf-8";

/** A proxy in front must not collect events, and the connection ends with the stream. */
const HEADERS = { "X-Accel-Buffering": "no", Connection: "close" };

const streamChanges = endpoint({
  method: "GET",
  operationId: "streamChanges",
  tag: "Changes",
  summary: "Receive changes as they are made",
  description:
    "Server-sent events: `id` is a cursor, `event` the change's type and `data` the change, as `getChanges` returns it. The stream ends when the token expires.",
  access: bearer("read_wishlists", { customer: "filter" }),
  streams: true,
  params: noParameters,
  query: streamQuery,
  body: noBody,
  data: TYPE,
  failures: ["cursor_expired", "customer_mismatch", "guest_lists_off"],
  async handle({ caller, query: { since, types }, lastEventId, withBody }) {
    if (!withBody) return { stream: null, type: TYPE, headers: HEADERS };
    const { keyId, expiresAt } = caller;
    const stream = await openStream({
      filter: toFilter({ shopId: caller.shopId, customerId: caller.owner?.id }, types),
      keyId,
      expiresAt,
      since,
      lastEventId,
    });
    return stream instanceof Failure ? stream : { stream, type: TYPE, headers: HEADERS };
  },
});

const route = resource("/v1/changes/stream", [streamChanges]);

export const loader = route.loader;
export const action = route.action;
