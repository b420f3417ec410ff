import { z } from "zod";
import { dataOrFailure, endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";
import { BILLING_FAILURES } from "../billing/failures.ts";
import { FEATURES, hasFeature } from "../billing/index.server.ts";
import {
  ownerInPath,
  ownerParameter,
  listIdSchema,
  revokeShareLink,
  shareLink,
  shareLinkSchema,
  unsharedSchema,
} from "../wishlists/index.server.ts";

const getShare = endpoint({
  method: "GET",
  operationId: "shareList",
  tag: "Sharing",
  summary: "Share a list by link",
  description:
    "Returns the same link until it expires or is revoked, and creates one when there is none. Each list has its own link. Requires the Starter plan or a higher one.",
  access: bearer("write_wishlists", { customersOnly: true }),
  writes: true,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: noBody,
  data: shareLinkSchema,
  failures: ["plan_required", "list_not_found"],
  async handle({ caller, params }) {
    if (!hasFeature(caller.plan, "sharing")) {
      return new Failure("plan_required", BILLING_FAILURES.plan_required.message, {
        details: { requiredPlan: FEATURES.sharing.from },
      });
    }
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await shareLink(list, caller.shop, "api"));
  },
});

const deleteShare = endpoint({
  method: "DELETE",
  operationId: "revokeListShareLink",
  tag: "Sharing",
  summary: "Revoke a list's share link",
  description: "From then on, the link is reported as expired. Sharing again creates another link.",
  access: bearer("write_wishlists", { customersOnly: true }),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: noBody,
  data: unsharedSchema,
  failures: ["list_not_found"],
  async handle({ caller, params }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await revokeShareLink(list));
  },
});

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/share", [getShare, deleteShare]);

export const loader = route.loader;
export const action = route.action;
