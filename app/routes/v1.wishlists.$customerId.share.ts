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
  revokeShareLink,
  shareLink,
  shareLinkSchema,
  unsharedSchema,
} from "../wishlists/index.server.ts";

const getShare = endpoint({
  method: "GET",
  operationId: "shareWishlist",
  tag: "Sharing",
  summary: "Share a wishlist by link",
  description:
    "Returns the same link until it expires or is revoked, and creates one when there is none. Requires the Starter plan or a higher one.",
  access: bearer("write_wishlists", { customersOnly: true }),
  writes: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: noBody,
  data: shareLinkSchema,
  failures: ["plan_required"],
  async handle({ caller, params }) {
    if (!hasFeature(caller.plan, "sharing")) {
      return new Failure("plan_required", BILLING_FAILURES.plan_required.message, {
        details: { requiredPlan: FEATURES.sharing.from },
      });
    }
    const list = ownerInPath(caller, params.customerId);
    return dataOrFailure(await shareLink(list, caller.shop, "api"));
  },
});

const deleteShare = endpoint({
  method: "DELETE",
  operationId: "revokeShareLink",
  tag: "Sharing",
  summary: "Revoke the share link",
  description: "From then on, the link is reported as expired. Sharing again creates another link.",
  access: bearer("write_wishlists", { customersOnly: true }),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: noBody,
  data: unsharedSchema,
  async handle({ caller, params }) {
    return dataOrFailure(await revokeShareLink(ownerInPath(caller, params.customerId)));
  },
});

const route = resource("/v1/wishlists/{customerId}/share", [getShare, deleteShare]);

export const loader = route.loader;
export const action = route.action;
