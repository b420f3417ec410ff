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
  updateShareLinkBody,
} from "../sharing/share-links.server.ts";
import { noBody, none, operation, type Named, type OperationCall } from "./operation.ts";

const ofList = z.strictObject({ listId: listIdSchema });

async function linkOf(
  { caller, list }: Pick<OperationCall<unknown, unknown, unknown>, "caller" | "list">,
  named: { sharedBy?: string | null },
) {
  const { plan, shop, source, storePath } = caller;
  if (!hasFeature(plan, "sharing")) {
    return new Failure("plan_required", BILLING_FAILURES.plan_required.message, {
      details: { requiredPlan: FEATURES.sharing.from },
    });
  }
  return dataOrFailure(await shareLink(list, shop, { source, storePath, ...named }));
}

const CHANGES_LINK = { effect: "write", customersOnly: true, options: none, data: shareLinkSchema } as const;

/** Shares a list. */
function share<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({ ...declared, ...CHANGES_LINK, body: noBody, handle: (request) => linkOf(request, {}) });
}

/** Names the sharer of a list. */
function nameSharer<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({
    ...declared,
    ...CHANGES_LINK,
    body: updateShareLinkBody,
    handle: (request) => linkOf(request, { sharedBy: request.body.shared_by }),
  });
}

const SAME_LINK =
  "Returns the same link until it expires or is revoked, and creates one when there is none. A new link takes over the sharer's name (`sharedBy`) of the customer's last link.";
const NAMES_SHARER =
  "Sets the sharer's name, which people see who open the link, or removes it with null. Creates a link when there is none.";
const PLAN = "Requires the Starter plan or a higher one.";

export const shareWishlist = share({
  operationId: "shareWishlist",
  sdkMethod: "wishlists.share",
  tag: "Sharing",
  summary: "Share a wishlist by link",
  description: `${SAME_LINK} ${PLAN}`,
  ids: none,
  failures: ["plan_required"],
});

export const shareList = share({
  operationId: "shareList",
  sdkMethod: "lists.share",
  tag: "Sharing",
  summary: "Share a list by link",
  description: `${SAME_LINK} Each list has its own link. ${PLAN}`,
  ids: ofList,
  failures: ["plan_required", "list_not_found"],
});

export const updateShareLink = nameSharer({
  operationId: "updateShareLink",
  sdkMethod: "wishlists.updateShareLink",
  tag: "Sharing",
  summary: "Name the sharer of a wishlist",
  description: `${NAMES_SHARER} ${PLAN}`,
  ids: none,
  failures: ["plan_required"],
});

export const updateListShareLink = nameSharer({
  operationId: "updateListShareLink",
  sdkMethod: "lists.updateShareLink",
  tag: "Sharing",
  summary: "Name the sharer of a list",
  description: `${NAMES_SHARER} ${PLAN}`,
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
