import { z } from "zod";
import { endpoint, noBody } from "../../http/endpoint.server.ts";
import { publicAccess } from "../../http/v1/policies.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  expandQuery,
  PAGE_LIMIT,
  pageQuery,
  readShared,
  sharedViewSchema,
  shareTokenSchema,
} from "../../wishlists/index.server.ts";

/** What follows a customer id in other paths. */
const OF_CUSTOMERS: ReadonlySet<string | undefined> = new Set(["cart", "items", "lists", "merge", "share"]);

const NOT_A_CUSTOMER = { path: "path.customerId", problem: "`shared` is not a customer id" };

export const getShared = endpoint({
  operationId: "getSharedWishlist",
  sdkMethod: "wishlists.getShared",
  tag: "Sharing",
  summary: "Read a shared wishlist",
  description:
    "The current list, newest first, without any data about its owner other than a name that they have given for it. Requires no authentication.",
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
