import {
  changesQuery,
  changesSchema,
  readChanges,
  toFilter,
  openStream,
  streamQuery,
} from "../../changes/index.server.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { Failure } from "../../platform/failure.ts";

export const getChanges = endpoint({
  operationId: "getChanges",
  sdkMethod: "changes.list",
  tag: "Changes",
  summary: "Read the changes of all lists",
  description:
    "Every change of customers' lists, oldest first, including every change whose request has completed. With a token that is bound to a customer: that customer's changes.",
  access: bearer("read_wishlists", { customer: "filter" }),
  compressed: "fast",
  params: noParameters,
  query: changesQuery,
  body: noBody,
  data: changesSchema,
  failures: ["cursor_expired", "customer_mismatch", "guest_lists_off"],
  async handle({ caller, query: { since, limit, types } }) {
    const json = await readChanges(toFilter({ shopId: caller.shopId, customerId: caller.owner?.id }, types), {
      since,
      limit,
    });
    return json instanceof Failure ? json : { json };
  },
});

const STREAM_TYPE = "text/event-stream; charset=utf-8";

/** A proxy in front must not collect events, and the connection ends with the stream. */
const STREAM_HEADERS = { "X-Accel-Buffering": "no", Connection: "close" };

export const streamChanges = endpoint({
  operationId: "streamChanges",
  sdkMethod: "changes.stream",
  tag: "Changes",
  summary: "Receive changes as they are made",
  description:
    "Server-sent events: `id` is a cursor, `event` the change's type and `data` the change, as `GET /v1/changes` returns it. The stream ends when the token expires.",
  access: bearer("read_wishlists", { customer: "filter" }),
  streams: true,
  params: noParameters,
  query: streamQuery,
  body: noBody,
  data: STREAM_TYPE,
  failures: ["cursor_expired", "customer_mismatch", "guest_lists_off"],
  async handle({ caller, query: { since, types }, lastEventId, withBody }) {
    if (!withBody) return { stream: null, type: STREAM_TYPE, headers: STREAM_HEADERS };
    const { client, expiresAt } = caller;
    const stream = await openStream({
      filter: toFilter({ shopId: caller.shopId, customerId: caller.owner?.id }, types),
      keyId: client.id,
      expiresAt,
      since,
      lastEventId,
    });
    return stream instanceof Failure ? stream : { stream, type: STREAM_TYPE, headers: STREAM_HEADERS };
  },
});
