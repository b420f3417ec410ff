import type { Plan } from "../billing/index.server.ts";
import type { Owner } from "../wishlists/owner.ts";
import type { ClientKind } from "./kinds.ts";
import type { Scope } from "./scopes.ts";

/** Who sends a request, whatever has authenticated it: a key, a bearer token, Shopify's session token or its app proxy's signature. Operations take it. */
export interface Caller {
  shopId: number;
  /** the store's domain */
  shop: string;
  plan: Plan;
  /** whether the shop keeps lists for guests */
  guestLists: boolean;
  /** whether the caller's surface offers named lists; the plan has a say, too */
  namedLists: boolean;
  scopes: ReadonlySet<Scope>;
  /** the shopper to whom the caller is bound; undefined for a caller who names the customer, and for a visitor of the store who is neither customer nor guest */
  owner: Owner | undefined;
  /** `id`: of the key, or of `accountClientId` */
  client: { id: string; kind: ClientKind | "app_proxy" };
  /** the origin of the caller's changes in reports and webhooks */
  source: "api" | "storefront";
  /** the app proxy's path in the store, such as `/apps/wishlist`, where the request came through it */
  storePath?: string;
  /** the address of the shopper's browser, or its network, where guests are limited by it */
  address?: string;
  /** when the access ends, in milliseconds since the epoch; Infinity for a request that is signed itself */
  expiresAt: number;
}

/** A caller who is bound to a shopper. */
export type BoundCaller = Caller & { owner: Owner };

/** Returns the space of the caller's idempotency keys: an API key has one, and each shopper to whom its tokens are bound. */
export function idempotencySpaceOf({ client, owner }: { client: { id: string }; owner: Owner | undefined }): string {
  return owner ? `${client.id} ${owner.kind} ${owner.id}` : client.id;
}
