import { changesQuery, changesSchema, readChanges, toFilter } from "../changes/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";

const getChanges = endpoint({
  method: "GET",
  operationId: "getChanges",
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

const route = resource("/v1/changes", [getChanges]);

export const loader = route.loader;
export const action = route.action;
