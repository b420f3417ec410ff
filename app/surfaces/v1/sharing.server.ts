import { z } from "zod";
import { BILLING_FAILURES } from "../../billing/failures.ts";
import { FEATURES, hasFeature } from "../../billing/index.server.ts";
import { dataOrFailure, endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { bearer, publicAccess } from "../../http/v1/policies.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  ownerInPath,
  ownerParameter,
  revokeShareLink,
  shareLink,
  shareLinkSchema,
  unsharedSchema,
  listIdSchema,
  expandQuery,
  PAGE_LIMIT,
  pageQuery,
  readShared,
  sharedViewSchema,
  shareTokenSchema,
} from "../../wishlists/index.server.ts";

export const getShare = endpoint({
  operationId: "shareWishlist",
  sdkMethod: "wishlists.share",
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

export const deleteShare = endpoint({
  operationId: "revokeShareLink",
  sdkMethod: "wishlists.revokeShareLink",
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

export const getListShare = endpoint({
  operationId: "shareList",
  sdkMethod: "lists.share",
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

export const deleteListShare = endpoint({
  operationId: "revokeListShareLink",
  sdkMethod: "lists.revokeShareLink",
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

/** What follows a customer id in other paths. */
const OF_CUSTOMERS: ReadonlySet<string | undefined> = new Set(["cart", "items", "lists", "merge", "share"]);

const NOT_A_CUSTOMER = { path: "path.customerId", problem: "`shared` is not a customer id" };

export const getShared = endpoint({
  operationId: "getSharedWishlist",
  sdkMethod: "wishlists.getShared",
  tag: "Sharing",
  summary: "Read a shared wishlist",
  description: "The current list, newest first, without any data about its owner. Requires no authentication.",
  access: publicAccess,
  compressed: true,
  params: z.strictObject({ shareToken: shareTokenSchema }),
  query: z.strictObject({ ...pageQuery(PAGE_LIMIT.max).shape, ...expandQuery.shape }),
  body: noBody,
  data: sharedViewSchema,
  failures: ["share_not_found", "share_expired"],
  // The caller of POST /v1/wishlists/shared/items takes `shared` for a customer id, which it can't be.
  explainMethod: ({ shareToken }) => (OF_CUSTOMERS.has(shareToken) ? NOT_A_CUSTOMER : undefined),
  async handle({ params, query, withBody }) {
    const json = await readShared(params.shareToken, query, {
      counted: withBody,
      expanded: query.expand !== undefined,
    });
    return json instanceof Failure ? json : { json };
  },
});
