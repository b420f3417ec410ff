import { z } from "zod";
import { BILLING_FAILURES } from "../../billing/failures.ts";
import { FEATURES, hasFeature } from "../../billing/index.server.ts";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import { listIdSchema } from "../identifiers.ts";
import {
  revokeShareLink as revoke,
  shareLink,
  shareLinkSchema,
  unsharedSchema,
} from "../sharing/share-links.server.ts";
import { noBody, none, operation, type Named } from "./operation.ts";

const ofList = z.strictObject({ listId: listIdSchema });

/** Shares a list. */
function share<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({
    ...declared,
    effect: "write",
    customersOnly: true,
    options: none,
    body: noBody,
    data: shareLinkSchema,
    async handle({ caller: { plan, shop, source, storePath }, list }) {
      if (!hasFeature(plan, "sharing")) {
        return new Failure("plan_required", BILLING_FAILURES.plan_required.message, {
          details: { requiredPlan: FEATURES.sharing.from },
        });
      }
      return dataOrFailure(await shareLink(list, shop, source, storePath));
    },
  });
}

export const shareWishlist = share({
  operationId: "shareWishlist",
  sdkMethod: "wishlists.share",
  tag: "Sharing",
  summary: "Share a wishlist by link",
  description:
    "Returns the same link until it expires or is revoked, and creates one when there is none. Requires the Starter plan or a higher one.",
  ids: none,
  failures: ["plan_required"],
});

export const shareList = share({
  operationId: "shareList",
  sdkMethod: "lists.share",
  tag: "Sharing",
  summary: "Share a list by link",
  description:
    "Returns the same link until it expires or is revoked, and creates one when there is none. Each list has its own link. Requires the Starter plan or a higher one.",
  ids: ofList,
  failures: ["plan_required", "list_not_found"],
});

/** Revokes the link of a list. */
function revokeOf<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({
    ...declared,
    effect: "write",
    customersOnly: true,
    options: none,
    body: noBody,
    data: unsharedSchema,
    handle: async ({ list }) => dataOrFailure(await revoke(list)),
  });
}

export const revokeShareLink = revokeOf({
  operationId: "revokeShareLink",
  sdkMethod: "wishlists.revokeShareLink",
  tag: "Sharing",
  summary: "Revoke the share link",
  description: "From then on, the link is reported as expired. Sharing again creates another link.",
  ids: none,
});

export const revokeListShareLink = revokeOf({
  operationId: "revokeListShareLink",
  sdkMethod: "lists.revokeShareLink",
  tag: "Sharing",
  summary: "Revoke a list's share link",
  description: "From then on, the link is reported as expired. Sharing again creates another link.",
  ids: ofList,
  failures: ["list_not_found"],
});
