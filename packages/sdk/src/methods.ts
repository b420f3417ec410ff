// Written by `npm run api:write` from the declarations of the endpoints. Do not edit.

import type { Method } from "./method.ts";

/**
 * The methods of the API's operations, grouped by what they are about. Each takes its path parameters, query parameters and body fields in one object.
 *
 * @throws WishlistError each method, beside the codes that it names:
 * - `invalid_request`: The path, the query or the body is not as described. `details` lists each problem and where it is.
 * - `missing_token`: The request has no `Authorization` header.
 * - `invalid_token`: The access token is not valid, or its API key was revoked.
 * - `token_expired`: The access token has expired.
 * - `insufficient_scope`: The access token or the API key lacks a scope.
 * - `rate_limited`: A rate limit is used up. Retry after `Retry-After` seconds.
 * - `internal_error`: An unexpected error in the service.
 * - `service_unavailable`: The database is unreachable, or too many requests for this shop are in progress. A change may or may not have been made; repeating it after `Retry-After` seconds is safe.
 * - `network_error`, `timed_out`, `invalid_response`: There is no response, or not the service's.
 */
export interface Client {
  readonly tokens: {
    /**
     * Exchange an API key for an access token
     *
     * The token is valid for an hour. Request a new one when it has expired; there is no refresh token.
     *
     * @throws WishlistError
     * - `invalid_credentials`: The key and the secret do not match an active API key.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.tokens.exchangeApiKey({ api_key: "wlk_…", api_secret: "wls_…" });
     */
    readonly exchangeApiKey: Method<"tokens.exchangeApiKey">;
    /**
     * Exchange a publishable key for a shopper's token
     *
     * For pages and apps, which must not hold a secret. The token is bound to a guest, whose random id the browser keeps, or to the customer whom Shopify names for a token of the Customer Account API. It gives access to `/v1/wishlists/me` and the paths below it. With both, the guest's lists are merged into the customer's first, exactly once.
     *
     * @throws WishlistError
     * - `invalid_publishable_key`: The publishable key is unknown, or was revoked.
     * - `invalid_customer_token`: The shop's Customer Account API does not accept the customer's access token.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `origin_not_allowed`: The publishable key does not allow the origin of the page that sent the request.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * - `customer_accounts_unavailable`: The shop's Customer Account API can't be asked right now. Guests are not affected.
     * @example
     * const data = await client.tokens.exchangePublishableKey({
     *   publishable_key: "wlp_…",
     *   guest_id: "pV1yHn5mT0cQx8KfZr3J2w",
     * });
     */
    readonly exchangePublishableKey: Method<"tokens.exchangePublishableKey">;
    /**
     * Exchange Shopify's session token for a customer's token
     *
     * For this app's customer account UI extension. The token is bound to the customer whom Shopify's session token names, and gives access to `/v1/wishlists/me` and the paths below it for 15 minutes. Tokens of the admin are refused.
     *
     * @throws WishlistError
     * - `invalid_session_token`: Shopify's session token is not valid for this app and a shop that has installed it.
     * - `session_without_customer`: Shopify's session token names no customer.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.tokens.exchangeSessionToken({ session_token: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…" });
     */
    readonly exchangeSessionToken: Method<"tokens.exchangeSessionToken">;
  };
  readonly wishlists: {
    /**
     * Read a customer's wishlist
     *
     * Newest first, unless `sort` says otherwise. A customer without saved items has an empty wishlist. Send the `ETag` of an earlier response as `If-None-Match` to get 304 while nothing has changed.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * @example
     * const data = await client.wishlists.get({ customerId: "7012503486663" });
     */
    readonly get: Method<"wishlists.get">;
    readonly items: {
      /**
       * Add an item
       *
       * Adding an item that is already saved changes nothing and returns `added: false`.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `product_not_found`: The shop has no such product, so its default variant is unknown.
       * - `wishlist_full`: The wishlist has the maximum number of items.
       * - `catalog_not_connected`: The shop's catalog is not connected, so default variants are unknown. Send the variant.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * - `catalog_unavailable`: The shop's catalog is unavailable right now. Nothing was changed.
       * @example
       * const data = await client.wishlists.items.add({ customerId: "7012503486663", product_id: "8401930311165" });
       */
      readonly add: Method<"wishlists.items.add">;
      /**
       * Remove an item
       *
       * Removes every saved variant of the product, or only the variant given as `variant_id` in the query. A request body is refused, so that a variant given there does not remove all variants.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * @example
       * const data = await client.wishlists.items.remove({ customerId: "7012503486663", productId: "8401930311165" });
       */
      readonly remove: Method<"wishlists.items.remove">;
    };
    /**
     * Merge a guest's list into a customer's wishlist
     *
     * Send it when a customer logs in. Either all items are merged or none; repeating the request changes nothing. Items that are already saved keep their time; of duplicates, the earliest is kept. An item without a variant means the product's default variant at the time of the request: the first available variant, or the first one when all are sold out.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `wishlist_full`: The wishlist has the maximum number of items.
     * - `catalog_not_connected`: The shop's catalog is not connected, so default variants are unknown. Send the variant.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * - `catalog_unavailable`: The shop's catalog is unavailable right now. Nothing was changed.
     * @example
     * const data = await client.wishlists.merge({
     *   customerId: "7012503486663",
     *   items: [{ productId: "8401930311165", addedAt: "2026-11-19T18:02:11.000Z" }],
     * });
     */
    readonly merge: Method<"wishlists.merge">;
    /**
     * Record that saved items were put into the cart
     *
     * Send what a shopper puts into the cart, for the wishlist-to-cart rate. Each variant that is in one of the owner's lists counts once for an `event_id`; others are ignored. Repeating the request changes nothing.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.wishlists.recordCart({
     *   customerId: "7012503486663",
     *   event_id: "5f0c0d8e-6d0b-4b0e-9a44-2f7d1c5e8b13",
     *   items: [{ product_id: "8401930311165", variant_id: "44003118551387" }],
     * });
     */
    readonly recordCart: Method<"wishlists.recordCart">;
    /**
     * Share a wishlist by link
     *
     * Returns the same link until it expires or is revoked, and creates one when there is none. Requires the Starter plan or a higher one.
     *
     * Requires the scope `write_wishlists`.
     *
     * Does not support HEAD, because it may change data.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `plan_required`: The shop's plan does not include this feature.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * @example
     * const data = await client.wishlists.share({ customerId: "7012503486663" });
     */
    readonly share: Method<"wishlists.share">;
    /**
     * Revoke the share link
     *
     * From then on, the link is reported as expired. Sharing again creates another link.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * @example
     * const data = await client.wishlists.revokeShareLink({ customerId: "7012503486663" });
     */
    readonly revokeShareLink: Method<"wishlists.revokeShareLink">;
    /**
     * Read a shared wishlist
     *
     * The current list, newest first, without any data about its owner. Requires no authentication.
     *
     * @throws WishlistError
     * - `share_not_found`: No share link has this token.
     * - `share_expired`: The share link has expired or was revoked.
     * @example
     * const data = await client.wishlists.getShared({ shareToken: "1C_3tVbN0qLr8kZcX5yPw1aHs" });
     */
    readonly getShared: Method<"wishlists.getShared">;
  };
  readonly lists: {
    /**
     * Find the lists that have products
     *
     * Returns which lists have the given products, by variant.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * @example
     * const data = await client.lists.containing({ customerId: "7012503486663", product_id: ["8401930311165"] });
     */
    readonly containing: Method<"lists.containing">;
    /**
     * List a customer's lists
     *
     * The default list first, then the named lists by position. Every customer has a default list, even before something is saved in it.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * @example
     * const data = await client.lists.list({ customerId: "7012503486663" });
     */
    readonly list: Method<"lists.list">;
    /**
     * Create a list
     *
     * Creates an empty named list after the others. Requires the Growth plan; existing lists work in any plan.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `plan_required`: The shop's plan does not include this feature.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_name_taken`: Another list of the customer has this name. Upper and lower case are the same.
     * - `list_limit_reached`: The customer has the maximum number of lists.
     * - `request_in_progress`: The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * - `idempotency_mismatch`: The `Idempotency-Key` was used for a different request.
     * @example
     * const data = await client.lists.create({ customerId: "7012503486663", name: "Birthday" });
     */
    readonly create: Method<"lists.create">;
    /**
     * Read a list
     *
     * Read a list.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * @example
     * const data = await client.lists.get({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
     */
    readonly get: Method<"lists.get">;
    /**
     * Rename or move a list
     *
     * Changes the name, the position, or both. The default list can be renamed; it is always the first.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `list_name_taken`: Another list of the customer has this name. Upper and lower case are the same.
     * - `default_list`: The operation does not exist for the default list, which cannot be deleted or moved.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.lists.update({
     *   customerId: "7012503486663",
     *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
     *   name: "Birthday",
     *   position: 1.5,
     * });
     */
    readonly update: Method<"lists.update">;
    /**
     * Delete a list
     *
     * Deletes a named list with its items and revokes its share link. `POST …/restore` takes it back as long as its history is kept. The default list can't be deleted.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `default_list`: The operation does not exist for the default list, which cannot be deleted or moved.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * @example
     * const data = await client.lists.delete({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
     */
    readonly delete: Method<"lists.delete">;
    readonly items: {
      /**
       * Read the items of a list
       *
       * As `GET /v1/wishlists/{customerId}`, of any list.
       *
       * Requires the scope `read_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `list_not_found`: The customer has no list with this id.
       * @example
       * const data = await client.lists.items.list({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
       */
      readonly list: Method<"lists.items.list">;
      /**
       * Add an item to a list
       *
       * Adding an item that the list has changes nothing, its details included, and returns `added: false`.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `product_not_found`: The shop has no such product, so its default variant is unknown.
       * - `list_not_found`: The customer has no list with this id.
       * - `wishlist_full`: The wishlist has the maximum number of items.
       * - `catalog_not_connected`: The shop's catalog is not connected, so default variants are unknown. Send the variant.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * - `catalog_unavailable`: The shop's catalog is unavailable right now. Nothing was changed.
       * @example
       * const data = await client.lists.items.add({
       *   customerId: "7012503486663",
       *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
       *   product_id: "8401930311165",
       * });
       */
      readonly add: Method<"lists.items.add">;
      /**
       * Change an item's details
       *
       * Changes the given details and leaves the others; null clears one. `variant_id` is needed when the product is saved in several variants.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `list_not_found`: The customer has no list with this id.
       * - `item_not_found`: The list does not have this item. `details` names the item where several were given.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * @example
       * const data = await client.lists.items.update({
       *   customerId: "7012503486663",
       *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
       *   productId: "8401930311165",
       *   quantity: 2,
       *   note: "For the trip in May",
       *   properties: { Engraving: "A. L." },
       *   position: 1,
       * });
       */
      readonly update: Method<"lists.items.update">;
      /**
       * Remove an item from a list
       *
       * Removes every saved variant of the product, or only the variant given as `variant_id` in the query.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `list_not_found`: The customer has no list with this id.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * @example
       * const data = await client.lists.items.remove({
       *   customerId: "7012503486663",
       *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
       *   productId: "8401930311165",
       * });
       */
      readonly remove: Method<"lists.items.remove">;
      /**
       * Move or copy items to another list
       *
       * All items or none. An item that the other list has is there once afterwards, as it was there. A moved item keeps its time and details; a copy is saved now, with the details. Repeating a move changes nothing.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `list_not_found`: The customer has no list with this id.
       * - `item_not_found`: The list does not have this item. `details` names the item where several were given.
       * - `wishlist_full`: The wishlist has the maximum number of items.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * @example
       * const data = await client.lists.items.move({
       *   customerId: "7012503486663",
       *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
       *   items: [{ productId: "8401930311165" }],
       *   to: "default",
       * });
       */
      readonly move: Method<"lists.items.move">;
      /**
       * Apply many operations at once
       *
       * Adds, removes and updates up to 250 items, in the given order, all or none, as one version of the list. An added item without a variant means the product's default variant.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `product_not_found`: The shop has no such product, so its default variant is unknown.
       * - `list_not_found`: The customer has no list with this id.
       * - `item_not_found`: The list does not have this item. `details` names the item where several were given.
       * - `wishlist_full`: The wishlist has the maximum number of items.
       * - `catalog_not_connected`: The shop's catalog is not connected, so default variants are unknown. Send the variant.
       * - `request_in_progress`: The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * - `idempotency_mismatch`: The `Idempotency-Key` was used for a different request.
       * - `catalog_unavailable`: The shop's catalog is unavailable right now. Nothing was changed.
       * @example
       * const data = await client.lists.items.batch({
       *   customerId: "7012503486663",
       *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
       *   operations: [
       *     {
       *       op: "add",
       *       productId: "8401930311165",
       *       variantId: "44003118551387",
       *       quantity: 2,
       *     },
       *     { op: "remove", productId: "8403987802358" },
       *   ],
       * });
       */
      readonly batch: Method<"lists.items.batch">;
    };
    /**
     * Read a list's history
     *
     * The versions of the list, newest first, as far back as changes are kept; also of a deleted list.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * @example
     * const data = await client.lists.history({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
     */
    readonly history: Method<"lists.history">;
    /**
     * Restore an earlier version of a list
     *
     * Brings the items back to what they were after a version, with their times and details, as a change of its own: restoring the version before takes it back. A deleted list exists again. The name stays as it is.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `version_not_found`: The list never had this version.
     * - `wishlist_full`: The wishlist has the maximum number of items.
     * - `list_name_taken`: Another list of the customer has this name. Upper and lower case are the same.
     * - `list_limit_reached`: The customer has the maximum number of lists.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `version_expired`: The changes since this version are not kept any more, so that the list can't be brought back to it.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.lists.restore({
     *   customerId: "7012503486663",
     *   listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
     *   version: 3,
     * });
     */
    readonly restore: Method<"lists.restore">;
    /**
     * Share a list by link
     *
     * Returns the same link until it expires or is revoked, and creates one when there is none. Each list has its own link. Requires the Starter plan or a higher one.
     *
     * Requires the scope `write_wishlists`.
     *
     * Does not support HEAD, because it may change data.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `plan_required`: The shop's plan does not include this feature.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * @example
     * const data = await client.lists.share({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
     */
    readonly share: Method<"lists.share">;
    /**
     * Revoke a list's share link
     *
     * From then on, the link is reported as expired. Sharing again creates another link.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `list_not_found`: The customer has no list with this id.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * @example
     * const data = await client.lists.revokeShareLink({ customerId: "7012503486663", listId: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
     */
    readonly revokeShareLink: Method<"lists.revokeShareLink">;
  };
  readonly alerts: {
    /**
     * Read which alerts a customer has asked for
     *
     * All kinds are off until the customer asks for them.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * @example
     * const data = await client.alerts.get({ customerId: "7012503486663" });
     */
    readonly get: Method<"alerts.get">;
    /**
     * Record which alerts a customer asks for
     *
     * Call it only for what the customer has chosen: each change is kept with its time, its wording and the fact that it came through the API. Repeating a request changes nothing.
     *
     * Requires the scope `write_wishlists`.
     *
     * @throws WishlistError
     * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `customer_required`: The access token is a guest's, and only customers can do this.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.alerts.update({ customerId: "7012503486663", alerts: { price_dropped: true } });
     */
    readonly update: Method<"alerts.update">;
    readonly requests: {
      /**
       * Read what a customer has asked for about single variants
       *
       * Those that are open, the newest first. A request ends with its alert, or after a year.
       *
       * Requires the scope `read_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `customer_required`: The access token is a guest's, and only customers can do this.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * @example
       * const data = await client.alerts.requests.list({ customerId: "7012503486663" });
       */
      readonly list: Method<"alerts.requests.list">;
      /**
       * Ask to be told once about a variant
       *
       * When it is back in stock, or cheaper. A customer's request saves the variant in the default list, unless it is saved, and replaces an earlier one for the same. A guest gives an email address, whose owner confirms the request by a link; the response says nothing about what is known of the address.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `product_not_found`: The shop has no such product, so its default variant is unknown.
       * - `wishlist_full`: The wishlist has the maximum number of items.
       * - `alert_request_limit`: The customer has asked for the most alerts that are possible. Withdraw one first.
       * - `alerts_unavailable`: The shop offers no such alert: the kind is off, the plan has no alerts, or no receiver of alerts is set.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
       * - `catalog_unavailable`: The shop's catalog is unavailable right now. Nothing was changed.
       * @example
       * const data = await client.alerts.requests.create({
       *   customerId: "7012503486663",
       *   kind: "price_dropped",
       *   product_id: "8401930311165",
       *   variant_id: "44003118551387",
       * });
       */
      readonly create: Method<"alerts.requests.create">;
      /**
       * Withdraw what a customer has asked for about a product or a variant
       *
       * Withdraw what a customer has asked for about a product or a variant.
       *
       * Requires the scope `write_wishlists`.
       *
       * @throws WishlistError
       * - `not_bound`: The path names `me`, but the access token is not bound to a shopper.
       * - `customer_mismatch`: The access token is bound to another customer.
       * - `customer_required`: The access token is a guest's, and only customers can do this.
       * - `guest_lists_off`: The shop keeps no lists for guests.
       * - `guest_merged`: The guest's lists were merged into a customer's. The guest's id is no longer valid.
       * @example
       * const data = await client.alerts.requests.remove({ customerId: "7012503486663", productId: "8401930311165" });
       */
      readonly remove: Method<"alerts.requests.remove">;
    };
  };
  readonly changes: {
    /**
     * Read the changes of all lists
     *
     * Every change of customers' lists, oldest first, including every change whose request has completed. With a token that is bound to a customer: that customer's changes.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `cursor_expired`: Changes after this cursor are not kept any more.
     * @example
     * const data = await client.changes.list();
     */
    readonly list: Method<"changes.list">;
    /**
     * Receive changes as they are made
     *
     * Server-sent events: `id` is a cursor, `event` the change's type and `data` the change, as `GET /v1/changes` returns it. The stream ends when the token expires.
     *
     * Requires the scope `read_wishlists`.
     *
     * @throws WishlistError
     * - `customer_mismatch`: The access token is bound to another customer.
     * - `guest_lists_off`: The shop keeps no lists for guests.
     * - `cursor_expired`: Changes after this cursor are not kept any more.
     * @example
     * for await (const { change, cursor } of client.changes.stream()) {
     *   console.log(change.type, cursor);
     * }
     */
    readonly stream: Method<"changes.stream">;
  };
  readonly analytics: {
    /**
     * Totals of the last days
     *
     * Activity of shoppers, including guests. Changes by staff, imports and privacy requests are excluded. Includes every change whose request has completed.
     *
     * Requires the scope `read_analytics`.
     *
     * @example
     * const data = await client.analytics.overview();
     */
    readonly overview: Method<"analytics.overview">;
    /**
     * Most saved products
     *
     * Sorted by the number of wishlist items that currently contain the product, then by product id.
     *
     * Requires the scope `read_analytics`.
     *
     * @example
     * const data = await client.analytics.topProducts();
     */
    readonly topProducts: Method<"analytics.topProducts">;
    /**
     * How often a product is saved
     *
     * 0 for a product that is in no wishlist, whether or not the shop has the product.
     *
     * Requires the scope `read_analytics`.
     *
     * @example
     * const data = await client.analytics.product({ productId: "8401930311165" });
     */
    readonly product: Method<"analytics.product">;
    /**
     * Daily figures
     *
     * One entry for each day, including days without activity. A change counts on the calendar day of the shop's time zone at the time of the change.
     *
     * Requires the scope `read_analytics`.
     *
     * @example
     * const data = await client.analytics.daily();
     */
    readonly daily: Method<"analytics.daily">;
    /**
     * Orders and revenue from wishlists
     *
     * A line of an order counts when its customer had saved the variant before. Orders of guests can't be attributed, test orders and cancelled orders are excluded, and a refund makes the figures of the order's day smaller. Requires that the merchant has granted `read_orders` on the Analytics page; until then, all figures are 0 and `countedSince` is null.
     *
     * Requires the scope `read_analytics`.
     *
     * @example
     * const data = await client.analytics.revenue();
     */
    readonly revenue: Method<"analytics.revenue">;
  };
  readonly webhooks: {
    /**
     * Subscribe to events
     *
     * Sends events that happen from now on, signed according to Standard Webhooks. Unless the receiver responds with 2xx within 15 seconds, a delivery is retried for about a day. Store the `secret`: it is not shown again. A shop can have 20 webhooks.
     *
     * Requires the scope `write_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_limit_reached`: The shop has the maximum number of webhooks.
     * - `request_in_progress`: The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * - `idempotency_mismatch`: The `Idempotency-Key` was used for a different request.
     * @example
     * const data = await client.webhooks.create({
     *   url: "https://hooks.larkfell-outdoor.example/wishlist",
     *   events: ["wishlist.item.added", "wishlist.shared"],
     * });
     */
    readonly create: Method<"webhooks.create">;
    /**
     * List webhooks
     *
     * List webhooks.
     *
     * Requires the scope `read_webhooks`.
     *
     * @example
     * const data = await client.webhooks.list();
     */
    readonly list: Method<"webhooks.list">;
    /**
     * Read a webhook
     *
     * Read a webhook.
     *
     * Requires the scope `read_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
     * @example
     * const data = await client.webhooks.get({ webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
     */
    readonly get: Method<"webhooks.get">;
    /**
     * Change, pause or resume a webhook
     *
     * Fields that are left out stay unchanged. `enabled: true`, or another `url`, enables the webhook again: its failures are reset and pending deliveries are sent. Another `url` alone does not resume a paused webhook.
     *
     * Requires the scope `write_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
     * - `payload_too_large`: The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.
     * @example
     * const data = await client.webhooks.update({
     *   webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ",
     *   url: "https://hooks.larkfell-outdoor.example/wishlist",
     *   events: ["wishlist.item.added", "wishlist.shared"],
     *   batch: false,
     *   name: "Newsletter tool",
     *   enabled: true,
     * });
     */
    readonly update: Method<"webhooks.update">;
    /**
     * Delete a webhook
     *
     * Stops all deliveries, including pending ones.
     *
     * Requires the scope `write_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
     * @example
     * const data = await client.webhooks.delete({ webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
     */
    readonly delete: Method<"webhooks.delete">;
    /**
     * Rotate the secret
     *
     * For 24 hours, requests are signed with the previous secret as well, so that a receiver can switch without refusing any. Older secrets stop being used at once.
     *
     * Requires the scope `write_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
     * @example
     * const data = await client.webhooks.rotateSecret({ webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
     */
    readonly rotateSecret: Method<"webhooks.rotateSecret">;
    /**
     * Send a test event
     *
     * Creates a delivery of a sample event with ids such as `test-customer`. The list of deliveries shows its result. A delivery of a disabled webhook is sent when the webhook is enabled.
     *
     * Requires the scope `write_webhooks`.
     *
     * @throws WishlistError
     * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
     * - `request_in_progress`: The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.
     * - `idempotency_mismatch`: The `Idempotency-Key` was used for a different request.
     * @example
     * const data = await client.webhooks.test({ webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
     */
    readonly test: Method<"webhooks.test">;
    readonly deliveries: {
      /**
       * List the deliveries of a webhook
       *
       * Newest first, with every attempt and the receiver's response. Deliveries are kept for 30 days. For the next page, pass the `deliveryId` of the last delivery as `before`.
       *
       * Requires the scope `read_webhooks`.
       *
       * @throws WishlistError
       * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
       * @example
       * const data = await client.webhooks.deliveries.list({ webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
       */
      readonly list: Method<"webhooks.deliveries.list">;
      /**
       * Redeliver an event
       *
       * Creates another delivery of the same event, whatever the status of this one. The receiver gets the same `webhook-id`. A delivery of a disabled webhook is sent when the webhook is enabled.
       *
       * Requires the scope `write_webhooks`.
       *
       * @throws WishlistError
       * - `webhook_not_found`: The shop has no such webhook, or the webhook has no such delivery.
       * - `request_in_progress`: The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.
       * - `idempotency_mismatch`: The `Idempotency-Key` was used for a different request.
       * @example
       * const data = await client.webhooks.deliveries.redeliver({
       *   webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ",
       *   deliveryId: "dlv_0641c9f0a2b3d47e8c15a9b0d2e4f681",
       * });
       */
      readonly redeliver: Method<"webhooks.deliveries.redeliver">;
    };
  };
  readonly docs: {
    /**
     * This document
     *
     * The OpenAPI 3.1 document of the API, for code generators, clients and tests.
     *
     * @example
     * const data = await client.docs.openapi();
     */
    readonly openapi: Method<"docs.openapi">;
    /**
     * This documentation as a page
     *
     * Shows the OpenAPI document in a browser, where each operation can be tried.
     *
     * @example
     * const data = await client.docs.page();
     */
    readonly page: Method<"docs.page">;
  };
}
