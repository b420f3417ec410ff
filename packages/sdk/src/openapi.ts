// Written by `npm run api:write` from the declarations of the endpoints. Do not edit.

export interface components {
  schemas: {
    /** @description Why a request was refused or failed */
    Error: {
      /** @constant */
      ok: false;
      error: {
        /**
         * @description What happened, for programs
         * @enum {string}
         */
        code:
          | "invalid_request"
          | "invalid_json"
          | "not_bound"
          | "missing_token"
          | "invalid_token"
          | "token_expired"
          | "invalid_credentials"
          | "invalid_publishable_key"
          | "invalid_customer_token"
          | "invalid_session_token"
          | "insufficient_scope"
          | "plan_required"
          | "customer_mismatch"
          | "session_without_customer"
          | "customer_required"
          | "guest_lists_off"
          | "origin_not_allowed"
          | "not_found"
          | "product_not_found"
          | "list_not_found"
          | "item_not_found"
          | "version_not_found"
          | "share_not_found"
          | "webhook_not_found"
          | "method_not_allowed"
          | "wishlist_full"
          | "guest_merged"
          | "list_name_taken"
          | "list_limit_reached"
          | "alert_request_limit"
          | "alerts_unavailable"
          | "default_list"
          | "webhook_limit_reached"
          | "key_limit_reached"
          | "catalog_not_connected"
          | "request_in_progress"
          | "share_expired"
          | "version_expired"
          | "cursor_expired"
          | "payload_too_large"
          | "unsupported_media_type"
          | "idempotency_mismatch"
          | "rate_limited"
          | "internal_error"
          | "catalog_unavailable"
          | "customer_accounts_unavailable"
          | "service_unavailable";
        /** @description What happened and what to do about it, for people */
        message: string;
        /** @description The response's `X-Request-Id` */
        requestId: string;
        details?:
          | {
              path: string;
              problem: string;
            }[]
          | {
              [key: string]: string | number;
            };
      };
    };
    TokenExchange: {
      /** @description Key id */
      api_key: string;
      /** @description Secret */
      api_secret: string;
      /** @description Limits the token to these scopes, separated by spaces *(additive)* */
      scope?: string;
      /** @description Binds the token to one customer, so that it is safe in a browser or a mobile app *(additive)* */
      customer_id?: string;
    };
    AccessToken: {
      /** @description Bearer token (JWT) */
      token: string;
      /** @description Seconds until the token expires */
      expiresIn: number;
    };
    StorefrontTokenExchange: {
      /** @description A publishable key of the shop; the request's `Origin` must be one of the key's */
      publishable_key: string;
      /** @description 22 to 64 letters, digits, `-` or `_` with at least 128 random bits, which the browser makes once and keeps. It is the guest's only credential. Next to a customer's token: the guest whose lists are merged into the customer's */
      guest_id?: string;
      /** @description The customer's access token of Shopify's Customer Account API. Only a hash of it is kept, for a minute */
      customer_access_token?: string;
    };
    StorefrontToken: {
      /** @description Bearer token (JWT) */
      token: string;
      /** @description Seconds until the token expires: 3600 for a guest, 900 for a customer */
      expiresIn: number;
      /**
       * @description Whose lists `/v1/wishlists/me` is
       * @enum {string}
       */
      owner: "guest" | "customer";
      /** @description With `guest_id` and `customer_access_token`: what became of the guest's lists */
      merge?:
        | {
            /** @constant */
            merged: true;
            /** @description Items that the customer had not saved before */
            addedCount: number;
            /** @description Items in the customer's default list */
            itemCount: number;
          }
        | {
            /** @constant */
            merged: false;
            /** @description Why nothing was merged */
            code: string;
            message: string;
          };
    };
    CustomerAccountTokenExchange: {
      /** @description The result of `shopify.sessionToken.get()` in a customer account UI extension of this app */
      session_token: string;
    };
    CustomerAccountToken: {
      /** @description Bearer token (JWT) */
      token: string;
      /** @description Seconds until the token expires */
      expiresIn: number;
      /** @description The shop's domain */
      shop: string;
      /** @description What the shop's plan includes */
      features: {
        /** @description Whether the customer can create named lists */
        lists: boolean;
        /** @description Whether the customer can share lists */
        sharing: boolean;
      };
      /** @description The store's format of prices in its currency as text, with one of Shopify's placeholders such as `{{amount_with_comma_separator}}`; null until Shopify has reported one *(additive)* */
      moneyFormat: string | null;
    };
    WishlistPage: {
      /** @description The requested page, newest first unless `sort` says otherwise */
      items: components["schemas"]["WishlistItem"][];
      /** @description Items in this response */
      count: number;
      /** @description Items in the wishlist; with `q` or `available`, those that match */
      total: number;
      /** @description Whether more items follow */
      has_more: boolean;
    };
    /** @description A saved product variant. Details are present where they are set. */
    WishlistItem: {
      productId: string;
      variantId: string;
      /** Format: date-time */
      addedAt: string;
      /** @description How many the shopper wants, 1 to 999 *(additive)* */
      quantity?: number;
      /** @description The shopper's note, at most 500 characters *(additive)* */
      note?: string;
      /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
      properties?: {
        [key: string]: string;
      };
      /** @description A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them *(additive)* */
      position?: number;
      /** @description With `expand=product`; null when the catalog cache has no such product *(additive)* */
      product?: components["schemas"]["ItemProduct"] | null;
    };
    /** @description An item's product and variant, as the catalog cache has them and shoppers may see them */
    ItemProduct: {
      title: string;
      handle: string;
      imageUrl: string | null;
      /** @description The variant in the online store */
      url: string;
      /** @description null for the only variant of a product */
      variantTitle: string | null;
      /** @description With the decimals of `currency`; null while the variant is not visible in the store */
      price: string | null;
      /** @description ISO 4217 */
      currency: string | null;
      /** @description Whether it can be bought now */
      available: boolean;
      /** @description The price when the item was saved, where it was known */
      savedPrice: string | null;
      /** @description Whether the product or variant was deleted in the store */
      deleted: boolean;
    };
    AddItem: {
      /** @description The product to save */
      product_id: string;
      /** @description The variant to save; by default the product's default variant: the first available variant, or the first one when all are sold out */
      variant_id?: string;
      /** @description How many the shopper wants, 1 to 999 *(additive)* */
      quantity?: number;
      /** @description The shopper's note, at most 500 characters *(additive)* */
      note?: string;
      /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
      properties?: {
        [key: string]: string;
      };
    };
    ItemAdded: {
      /** @description false when the item was already saved */
      added: boolean;
      /** @description Items in the wishlist after the request */
      itemCount: number;
    };
    ItemRemoved: {
      /** @description false when no item was removed */
      removed: boolean;
      /** @description Items in the wishlist after the request */
      itemCount: number;
    };
    MergeWishlist: {
      items: {
        productId: string;
        /** @description *(additive)* */
        variantId?: string;
        /**
         * Format: date-time
         * @description When the guest saved the item; a time in the future counts as now
         */
        addedAt: string;
        /** @description How many the shopper wants, 1 to 999 *(additive)* */
        quantity?: number;
        /** @description The shopper's note, at most 500 characters *(additive)* */
        note?: string;
        /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
        properties?: {
          [key: string]: string;
        };
      }[];
      /** @description The list into which the items are merged; by default the default list *(additive)* */
      list_id?: string;
    };
    WishlistMerged: {
      /**
       * @description The items are merged; the guest's copy can be cleared
       * @constant
       */
      merged: true;
      /** @description Items in the wishlist after the request */
      itemCount: number;
      /** @description Items that were not in the wishlist before *(additive)* */
      addedCount: number;
      /** @description Items that could not be merged *(additive)* */
      skipped: {
        productId: string;
        /** @constant */
        reason: "product_not_found";
      }[];
    };
    CartReport: {
      /** @description A unique id of the press on the button, such as a UUID; the same when the report is repeated */
      event_id: string;
      /** @description What was put into the cart, saved or not */
      items: {
        product_id: string;
        variant_id: string;
      }[];
    };
    RecordedCart: {
      /** @description Items that were saved, and not recorded with this `event_id` before */
      recorded: number;
    };
    ListsContaining: {
      /** @description The given products that are in a list, in the given order */
      products: {
        productId: string;
        variants: {
          variantId: string;
          listIds: string[];
        }[];
      }[];
      /** @description Whether variants were left out, because a response ends at about 1 MB; look for fewer products *(additive)* */
      has_more: boolean;
    };
    Lists: {
      /** @description The default list first, then by position */
      lists: components["schemas"]["List"][];
      /** @description Saved variants in all lists, each counted once, however many lists have it: for a counter */
      savedCount: number;
      /** @description null on the last page */
      nextCursor: string | null;
    };
    /** @description A list of a customer */
    List: {
      /** @description `default` for the default list */
      listId: string;
      /** @description null while the default list has no name */
      name: string | null;
      itemCount: number;
      isDefault: boolean;
      /** @description A number by which the named lists are ordered, ascending. Any number between two others places a list between them. The default list is always the first */
      position: number;
      /** @description Whether a share link of the list is open */
      shared: boolean;
      /** @description Counts the changes of the list */
      version: number;
      /** @description null for a default list in which nothing was ever saved */
      createdAt: string | null;
      updatedAt: string | null;
    };
    CreateList: {
      /** @description 1 to 100 characters, unique per customer without regard to case; surrounding space is removed */
      name: string;
    };
    UpdateList: {
      /** @description 1 to 100 characters, unique per customer without regard to case; surrounding space is removed */
      name?: string;
      /** @description A number by which the named lists are ordered, ascending. Any number between two others places a list between them. The default list is always the first */
      position?: number;
    };
    ListDeleted: {
      /** @constant */
      deleted: true;
      /** @description Items that were in the list */
      removedCount: number;
      /** @description The version that the deletion made. `POST …/restore` with the version before it brings the list back. */
      version: number;
    };
    /** @description Details that change; null clears one */
    UpdateItem: {
      /** @description How many the shopper wants, 1 to 999 */
      quantity?: number | null;
      /** @description The shopper's note, at most 500 characters */
      note?: string | null;
      /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product */
      properties?: {
        [key: string]: string;
      } | null;
      /** @description A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them */
      position?: number | null;
    };
    /** @description The item after the request */
    ItemUpdated: {
      /** @description false when the item had these details already */
      updated: boolean;
      productId: string;
      variantId: string;
      /** Format: date-time */
      addedAt: string;
      /** @description How many the shopper wants, 1 to 999 *(additive)* */
      quantity?: number;
      /** @description The shopper's note, at most 500 characters *(additive)* */
      note?: string;
      /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
      properties?: {
        [key: string]: string;
      };
      /** @description A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them *(additive)* */
      position?: number;
    };
    MoveItems: {
      /** @description An item without a variant means every saved variant of the product */
      items: {
        productId: string;
        variantId?: string;
      }[];
      /** @description The id of the list to which the items go */
      to: string;
      /**
       * @description Whether the items stay in this list, too
       * @default false
       */
      copy?: boolean;
    };
    ItemsMoved: {
      /** @description Items that left this list, or with `copy` those that the other list did not have */
      movedCount: number;
      /** @description Items that the other list did not have */
      addedCount: number;
      /** @description Items in this list after the request */
      itemCount: number;
      /** @description Items in the other list after the request */
      targetItemCount: number;
    };
    ChangeItems: {
      /** @description Applied in their order */
      operations: (
        | {
            /** @constant */
            op: "add";
            productId: string;
            variantId?: string;
            /** @description How many the shopper wants, 1 to 999 *(additive)* */
            quantity?: number;
            /** @description The shopper's note, at most 500 characters *(additive)* */
            note?: string;
            /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
            properties?: {
              [key: string]: string;
            };
          }
        | {
            /** @constant */
            op: "remove";
            productId: string;
            variantId?: string;
          }
        | {
            /** @constant */
            op: "update";
            productId: string;
            variantId?: string;
            /** @description How many the shopper wants, 1 to 999 */
            quantity?: number | null;
            /** @description The shopper's note, at most 500 characters */
            note?: string | null;
            /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product */
            properties?: {
              [key: string]: string;
            } | null;
            /** @description A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them */
            position?: number | null;
          }
      )[];
    };
    ItemsChanged: {
      /** @description One for each operation, in their order */
      results: {
        /** @enum {string} */
        op: "add" | "remove" | "update";
        productId: string;
        variantId?: string;
        /** @description false when the operation changed nothing */
        changed: boolean;
      }[];
      /** @description Items in the list after the request */
      itemCount: number;
    };
    ListHistory: {
      /** @description Newest first */
      versions: components["schemas"]["ListVersion"][];
      /** @description null on the last page */
      nextCursor: string | null;
    };
    ListVersion: {
      /** @description The list's version after the change */
      version: number;
      /** Format: date-time */
      at: string;
      /** @description Where the change came from: `api`, `storefront`, `cart` (saved for later), `merge`, `guest_merge` (a login), `staff`, `import`, `move` or `restore` */
      source: string;
      /** @description What happened to the list itself, if anything */
      listEvent: ("created" | "renamed" | "moved" | "deleted") | null;
      addedCount: number;
      removedCount: number;
      updatedCount: number;
      /** @description Items in the list after the change */
      itemCount: number;
      /** @description The items of the change, at most 50 */
      items: {
        /** @enum {string} */
        change: "added" | "removed" | "updated";
        productId: string;
        variantId: string;
      }[];
      /** @description Whether the list can be restored to this version */
      restorable: boolean;
    };
    RestoreList: {
      /** @description A version of the list's history; 0 is the empty list at its creation */
      version: number;
    };
    ListRestored: {
      addedCount: number;
      removedCount: number;
      updatedCount: number;
      /** @description Items in the list after the request */
      itemCount: number;
      /** @description The version that the request made */
      version: number;
    };
    AlertChoices: {
      /** @description What customers can ask for: the kinds that the shop has on. Empty where the merchant answers for the consent */
      offered: ("price_dropped" | "back_in_stock" | "low_stock" | "reminder_due")[];
      alerts: {
        /** @enum {string} */
        kind: "price_dropped" | "back_in_stock" | "low_stock" | "reminder_due";
        on: boolean;
        since: string | null;
      }[];
    };
    AlertChoicesChange: {
      /** @description Whether a kind is on, for the kinds that change */
      alerts: {
        [key: string]: boolean;
      };
      /** @description The text to which the customer agreed, which is recorded */
      wording?: string;
      /** @description Language of `wording` */
      locale?: string;
    };
    AlertRequests: {
      /** @description What the customer can ask for: the kinds that the shop has on *(additive)* */
      offered: ("back_in_stock" | "price_dropped")[];
      requests: components["schemas"]["AlertRequest"][];
    };
    AlertRequest: {
      /** @enum {string} */
      kind: "back_in_stock" | "price_dropped";
      productId: string;
      variantId: string;
      /** @description The price at which the customer wants to be told; null for any lower price that counts as a drop */
      targetPrice: string | null;
      /** Format: date-time */
      requestedAt: string;
    };
    NewAlertRequest: {
      /** @enum {string} */
      kind: "back_in_stock" | "price_dropped";
      product_id: string;
      variant_id: string;
      /** @description For `price_dropped`: the price at which to tell, in the shop's currency, lower than today's */
      target_price?: string;
      /** @description The guest's address; for a customer it must be left out */
      email?: string;
      /** @description Language of the emails */
      locale?: string;
    };
    AlertRequestState: {
      /**
       * @description `active`: the alert is on; `confirm`: the guest's address gets an email with a link, and nothing else before it is confirmed there
       * @enum {string}
       */
      state: "active" | "confirm";
    };
    WithdrawnAlertRequests: {
      /** @description Requests that were open */
      withdrawn: number;
    };
    ShareLink: {
      shareToken: string;
      /** Format: uri */
      shareUrl: string;
      /** Format: date-time */
      expiresAt: string;
      /** @description The sharer's name, which the link shows; null without one *(additive)* */
      sharedBy: string | null;
    };
    UpdateShareLink: {
      /** @description The sharer's name, 1 to 60 characters; surrounding space is removed. null removes the name */
      shared_by: string | null;
    };
    ShareLinkRevoked: {
      /** @description false when there was no active link */
      revoked: boolean;
    };
    /** @description A wishlist as its share link shows it, without data about its owner other than a name that they have given for it. Items have no notes. */
    SharedWishlist: {
      items: components["schemas"]["WishlistItem"][];
      count: number;
      /** @description *(additive)* */
      total: number;
      /** @description *(additive)* */
      has_more: boolean;
      /** Format: date-time */
      expiresAt: string;
      /** @description The list's name, if it has one *(additive)* */
      name?: string;
      /** @description The name that the sharer has given, if any *(additive)* */
      sharedBy?: string;
    };
    Changes: {
      /** @description Oldest first */
      changes: components["schemas"]["Change"][];
      /** @description Where the next page begins. Keep it when there are no more changes, and continue from it later. */
      nextCursor: string;
      /** @description Whether to read on at once. A page ends at about 1 MB, and with `types` can have no change at all, so that more can follow a page with fewer changes than `limit`. */
      hasMore: boolean;
    };
    Change: {
      /** @enum {string} */
      type:
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.moved"
        | "wishlist.list.deleted"
        | "wishlist.shared";
      /** Format: date-time */
      at: string;
      customerId: string;
      /** @description `default` for the default list */
      listId: string;
      /** @description The list's version after the change */
      version: number;
      /** @description Items in the list after the version */
      itemCount: number;
      /** @description Where the change came from, as in a list's history */
      source: string;
      /** @description The item as it is after the change; of a removed item its ids */
      item?: {
        productId: string;
        variantId: string;
        /**
         * Format: date-time
         * @description Not of a removed item
         */
        addedAt?: string;
        /** @description Of two items of a list with the same `addedAt`, the one with the higher number comes first in the list. Not of a removed item */
        sequence?: number;
        /** @description How many the shopper wants, 1 to 999 *(additive)* */
        quantity?: number;
        /** @description The shopper's note, at most 500 characters *(additive)* */
        note?: string;
        /** @description At most 20 names with values of at most 255 characters, together at most 2000 bytes of JSON, such as the line item properties of a personalized product *(additive)* */
        properties?: {
          [key: string]: string;
        };
        /** @description A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them *(additive)* */
        position?: number;
      };
      /** @description The list as it is after its creation, renaming or move, or as it was when it was deleted */
      list?: {
        name?: string;
        position: number;
      };
      /** @description Of an item that was removed by a move: the list that has it now */
      movedTo?: string;
    };
    AnalyticsOverview: {
      /** @description Items added minus items removed in the period; negative when more were removed */
      totalWishlistedItems: number;
      /** @description Distinct shoppers who used a wishlist in the period */
      activeShoppers: number;
      /** @description Percentage of the items saved in the period that have been added to a cart since; 0 when no items were saved */
      wishlistToCartRate: number;
    };
    TopProducts: {
      /** @description Most saved first; products that are in no wishlist are omitted */
      products: {
        productId: string;
        /** @description Wishlist items that currently contain the product; each saved variant counts */
        wishlistCount: number;
      }[];
    };
    ProductStats: {
      /** @description Wishlist items that currently contain the product; each saved variant counts */
      wishlistCount: number;
    };
    DailyBreakdown: {
      /** @description Every day of the period, oldest first, today last */
      days: components["schemas"]["AnalyticsDay"][];
    };
    AnalyticsDay: {
      /**
       * Format: date
       * @description Calendar day in the shop's time zone
       */
      date: string;
      itemsAdded: number;
      itemsRemoved: number;
      /** @description Distinct shoppers who used a wishlist on this day */
      uniqueShoppers: number;
      /** @description Saved items that were added to a cart */
      addToCartFromWishlist: number;
    };
    Revenue: {
      /** @description The shop's currency; orders in another one, from before a change, are excluded */
      currency: string | null;
      /** @description Day of the first counted order; null before it */
      countedSince: string | null;
      /** @description All orders, without cancelled ones */
      orders: number;
      /** @description Orders with at least one saved item */
      savedOrders: number;
      /** @description Percentage of orders with a saved item */
      savedOrderRate: number;
      /** @description Units of saved items, without refunded ones */
      units: number;
      /** @description What was paid for saved items after discounts, without refunds, in `currency` */
      revenue: string;
      /** @description Every day of the period, oldest first, today last */
      days: components["schemas"]["RevenueDay"][];
      /** @description Highest revenue first, at most `limit` */
      products: components["schemas"]["ProductRevenue"][];
    };
    RevenueDay: {
      /**
       * Format: date
       * @description Calendar day in the shop's time zone
       */
      date: string;
      /** @description All orders, without cancelled ones */
      orders: number;
      /** @description Orders with at least one saved item */
      savedOrders: number;
      /** @description Units of saved items, without refunded ones */
      units: number;
      /** @description What was paid for saved items after discounts, without refunds, in `currency` */
      revenue: string;
    };
    ProductRevenue: {
      productId: string;
      /** @description Orders in which it was a saved item */
      orders: number;
      /** @description Units of saved items, without refunded ones */
      units: number;
      /** @description What was paid for saved items after discounts, without refunds, in `currency` */
      revenue: string;
    };
    CreateWebhook: {
      /**
       * Format: uri
       * @description The receiver: an `https:` URL that is reachable from the internet
       */
      url: string;
      /** @description The events to send */
      events: (
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.shared"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.deleted"
        | "wishlist.alert.price_dropped"
        | "wishlist.alert.back_in_stock"
        | "wishlist.alert.low_stock"
        | "wishlist.alert.reminder_due"
        | "wishlist.item.bought"
        | "webhook.disabled"
      )[];
      /** @description Whether a request carries up to 100 events: `{"events":[{"id":…,"event":…}]}`, with each event's own id, under one signature */
      batch?: boolean;
      /** @description What you call the webhook, for pages and lists; null for one that is known by its address *(additive)* */
      name?: string | null;
    };
    WebhookCreated: {
      webhookId: string;
      url: string;
      events: (
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.shared"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.deleted"
        | "wishlist.alert.price_dropped"
        | "wishlist.alert.back_in_stock"
        | "wishlist.alert.low_stock"
        | "wishlist.alert.reminder_due"
        | "wishlist.item.bought"
        | "webhook.disabled"
      )[];
      /** @description Whether a request carries up to 100 events: `{"events":[{"id":…,"event":…}]}`, with each event's own id, under one signature *(additive)* */
      batch: boolean;
      /** @description What you call the webhook, for pages and lists; null for one that is known by its address *(additive)* */
      name: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Whether events are sent. Events that happen while it is false are not sent later *(additive)* */
      enabled: boolean;
      /** @description Why the webhook is disabled: `paused` by a PATCH; `gone`: the receiver responded with 410; `failing`: every delivery failed for 5 days *(additive)* */
      disabledReason: ("paused" | "gone" | "failing") | null;
      /** @description Time at which the webhook was disabled *(additive)* */
      disabledAt: string | null;
      /** @description Time of the first failure since the last success *(additive)* */
      failingSince: string | null;
      /** @description The secret that signs deliveries (Standard Webhooks). Shown only here *(additive)* */
      secret: string;
    };
    WebhookList: {
      /** @description Oldest first, without secrets */
      webhooks: components["schemas"]["Webhook"][];
    };
    /** @description A subscription to events */
    Webhook: {
      webhookId: string;
      url: string;
      events: (
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.shared"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.deleted"
        | "wishlist.alert.price_dropped"
        | "wishlist.alert.back_in_stock"
        | "wishlist.alert.low_stock"
        | "wishlist.alert.reminder_due"
        | "wishlist.item.bought"
        | "webhook.disabled"
      )[];
      /** @description Whether a request carries up to 100 events: `{"events":[{"id":…,"event":…}]}`, with each event's own id, under one signature *(additive)* */
      batch: boolean;
      /** @description What you call the webhook, for pages and lists; null for one that is known by its address *(additive)* */
      name: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Whether events are sent. Events that happen while it is false are not sent later *(additive)* */
      enabled: boolean;
      /** @description Why the webhook is disabled: `paused` by a PATCH; `gone`: the receiver responded with 410; `failing`: every delivery failed for 5 days *(additive)* */
      disabledReason: ("paused" | "gone" | "failing") | null;
      /** @description Time at which the webhook was disabled *(additive)* */
      disabledAt: string | null;
      /** @description Time of the first failure since the last success *(additive)* */
      failingSince: string | null;
    };
    UpdateWebhook: {
      /**
       * Format: uri
       * @description The receiver: an `https:` URL that is reachable from the internet
       */
      url?: string;
      /** @description The events to send */
      events?: (
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.shared"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.deleted"
        | "wishlist.alert.price_dropped"
        | "wishlist.alert.back_in_stock"
        | "wishlist.alert.low_stock"
        | "wishlist.alert.reminder_due"
        | "wishlist.item.bought"
        | "webhook.disabled"
      )[];
      /** @description Whether a request carries up to 100 events: `{"events":[{"id":…,"event":…}]}`, with each event's own id, under one signature */
      batch?: boolean;
      /** @description What you call the webhook, for pages and lists; null for one that is known by its address *(additive)* */
      name?: string | null;
      /** @description false pauses the webhook; true enables it again, whatever had disabled it */
      enabled?: boolean;
    };
    WebhookDeleted: {
      /** @constant */
      deleted: true;
    };
    WebhookSecretRotated: {
      webhookId: string;
      /** @description The secret that signs deliveries (Standard Webhooks). Shown only here *(additive)* */
      secret: string;
      /**
       * Format: date-time
       * @description Until then, deliveries are signed with the previous secret as well
       */
      previousSecretValidUntil: string;
    };
    /** @description An event for one webhook, with its delivery attempts */
    WebhookDelivery: {
      deliveryId: string;
      /** @description The receiver's `webhook-id`: the same for all deliveries and attempts of an event */
      messageId: string;
      /** @enum {string} */
      event:
        | "wishlist.item.added"
        | "wishlist.item.removed"
        | "wishlist.shared"
        | "wishlist.item.updated"
        | "wishlist.list.created"
        | "wishlist.list.renamed"
        | "wishlist.list.deleted"
        | "wishlist.alert.price_dropped"
        | "wishlist.alert.back_in_stock"
        | "wishlist.alert.low_stock"
        | "wishlist.alert.reminder_due"
        | "wishlist.item.bought"
        | "webhook.disabled";
      /** @enum {string} */
      kind: "event" | "test" | "redelivery";
      /** @enum {string} */
      status: "pending" | "succeeded" | "failed";
      /** Format: date-time */
      createdAt: string;
      /** @description null unless the delivery is pending */
      nextAttemptAt: string | null;
      /** @description Oldest first */
      attempts: components["schemas"]["WebhookAttempt"][];
    };
    WebhookAttempt: {
      /** @description From 1 */
      number: number;
      /** Format: date-time */
      at: string;
      durationMs: number;
      /** @description HTTP status of the response, or null */
      status: number | null;
      /** @description Why there was no complete response, or null */
      error: string | null;
      /** @description The first 2 KiB of the response */
      response: string | null;
    };
    WebhookDeliveryPage: {
      /** @description The requested page, newest first */
      deliveries: components["schemas"]["WebhookDelivery"][];
      /** @description Deliveries in this response */
      count: number;
      /** @description Whether more deliveries follow */
      has_more: boolean;
    };
    WishlistItemAddedEvent: {
      /** @constant */
      event: "wishlist.item.added";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
      };
    };
    WishlistItemRemovedEvent: {
      /** @constant */
      event: "wishlist.item.removed";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
      };
    };
    WishlistSharedEvent: {
      /** @constant */
      event: "wishlist.shared";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        /** Format: uri */
        shareUrl: string;
        /** Format: date-time */
        expiresAt: string;
        /** @description Items in the list at that time */
        itemCount: number;
        /** @description `default` for the customer's wishlist */
        listId: string;
      };
    };
    WishlistItemUpdatedEvent: {
      /** @constant */
      event: "wishlist.item.updated";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description Where it is set */
        quantity?: number;
        /** @description Where it is set */
        note?: string;
        /** @description Where they are set */
        properties?: {
          [key: string]: string;
        };
        /** @description Where it is set */
        position?: number;
        /** @description The list from which the item was moved; only after a move */
        previousListId?: string;
      };
    };
    WishlistListCreatedEvent: {
      /** @constant */
      event: "wishlist.list.created";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        listId: string;
        /** @description The list's name */
        name: string;
      };
    };
    WishlistListRenamedEvent: {
      /** @constant */
      event: "wishlist.list.renamed";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        listId: string;
        /** @description The list's name */
        name: string;
        previousName: string;
      };
    };
    WishlistListDeletedEvent: {
      /** @constant */
      event: "wishlist.list.deleted";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        listId: string;
        /** @description The list's name */
        name: string;
      };
    };
    WishlistAlertPrice_droppedEvent: {
      /** @constant */
      event: "wishlist.alert.price_dropped";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description The same for all deliveries of the alert */
        alertId: string;
        /** @description Whether the customer asked for an alert about this variant, once */
        requested: boolean;
        consent: {
          /**
           * @description `shopper`: the customer asked for alerts of this kind, or for this one; `none`: the merchant answers for the consent
           * @enum {string}
           */
          basis: "shopper" | "none";
          givenAt: string | null;
        };
        currency: string;
        /**
         * Format: uri
         * @description Leads to the product, and records that the alert was opened
         */
        url: string;
        /**
         * Format: uri
         * @description Where the customer ends alerts of this kind, without login
         */
        withdrawUrl: string;
        /** @description The price now, in `currency` */
        price: string;
        compareAtPrice: string | null;
        /** @description `price` in the customer's language */
        formattedPrice: string;
        formattedCompareAtPrice: string | null;
        productTitle: string;
        /** @description `null` for a product without options */
        variantTitle: string | null;
        /** @description The product's handle in the store */
        handle: string;
        /**
         * Format: uri
         * @description The product in the store with the variant chosen. Unlike `url`, it records nothing
         */
        productUrl: string;
        /** @description The product's picture */
        imageUrl: string | null;
        /** @description Language of the text to which the customer agreed; `null` where it is unknown, and prices are in English */
        locale: string | null;
        /** @description Read from Shopify for each delivery; `null` unless the shop has granted `read_customers`, or when Shopify did not respond in time */
        customer: {
          name: string;
          email: string | null;
        } | null;
        /** @description The variants of the product of which the alert tells, at most 100: those saved last. The fields beside it are those of the first */
        items: {
          variantId: string;
          /** @description `null` for a product without options */
          variantTitle: string | null;
          /** @description `default` for the customer's wishlist */
          listId: string;
          /** @description What has happened to the variant */
          kinds: ("back_in_stock" | "price_dropped" | "low_stock" | "reminder_due")[];
          /** @description The price now, in `currency` */
          price: string;
          /** @description Where the price fell */
          previousPrice: string | null;
          compareAtPrice: string | null;
          /** @description `price` in the customer's language */
          formattedPrice: string;
          formattedPreviousPrice: string | null;
          formattedCompareAtPrice: string | null;
          inventory: number | null;
          /** Format: date-time */
          savedAt: string;
        }[];
        /** @description The lower of the price when the item was saved and that of the last alert */
        previousPrice: string;
        formattedPreviousPrice: string;
      };
    };
    WishlistAlertBack_in_stockEvent: {
      /** @constant */
      event: "wishlist.alert.back_in_stock";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description The same for all deliveries of the alert */
        alertId: string;
        /** @description Whether the customer asked for an alert about this variant, once */
        requested: boolean;
        consent: {
          /**
           * @description `shopper`: the customer asked for alerts of this kind, or for this one; `none`: the merchant answers for the consent
           * @enum {string}
           */
          basis: "shopper" | "none";
          givenAt: string | null;
        };
        currency: string;
        /**
         * Format: uri
         * @description Leads to the product, and records that the alert was opened
         */
        url: string;
        /**
         * Format: uri
         * @description Where the customer ends alerts of this kind, without login
         */
        withdrawUrl: string;
        /** @description The price now, in `currency` */
        price: string;
        compareAtPrice: string | null;
        /** @description `price` in the customer's language */
        formattedPrice: string;
        formattedCompareAtPrice: string | null;
        productTitle: string;
        /** @description `null` for a product without options */
        variantTitle: string | null;
        /** @description The product's handle in the store */
        handle: string;
        /**
         * Format: uri
         * @description The product in the store with the variant chosen. Unlike `url`, it records nothing
         */
        productUrl: string;
        /** @description The product's picture */
        imageUrl: string | null;
        /** @description Language of the text to which the customer agreed; `null` where it is unknown, and prices are in English */
        locale: string | null;
        /** @description Read from Shopify for each delivery; `null` unless the shop has granted `read_customers`, or when Shopify did not respond in time */
        customer: {
          name: string;
          email: string | null;
        } | null;
        /** @description The variants of the product of which the alert tells, at most 100: those saved last. The fields beside it are those of the first */
        items: {
          variantId: string;
          /** @description `null` for a product without options */
          variantTitle: string | null;
          /** @description `default` for the customer's wishlist */
          listId: string;
          /** @description What has happened to the variant */
          kinds: ("back_in_stock" | "price_dropped" | "low_stock" | "reminder_due")[];
          /** @description The price now, in `currency` */
          price: string;
          /** @description Where the price fell */
          previousPrice: string | null;
          compareAtPrice: string | null;
          /** @description `price` in the customer's language */
          formattedPrice: string;
          formattedPreviousPrice: string | null;
          formattedCompareAtPrice: string | null;
          inventory: number | null;
          /** Format: date-time */
          savedAt: string;
        }[];
        inventory: number | null;
        /** @description Where the price fell as well */
        previousPrice: string | null;
        formattedPreviousPrice: string | null;
      };
    };
    WishlistAlertLow_stockEvent: {
      /** @constant */
      event: "wishlist.alert.low_stock";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description The same for all deliveries of the alert */
        alertId: string;
        /** @description Whether the customer asked for an alert about this variant, once */
        requested: boolean;
        consent: {
          /**
           * @description `shopper`: the customer asked for alerts of this kind, or for this one; `none`: the merchant answers for the consent
           * @enum {string}
           */
          basis: "shopper" | "none";
          givenAt: string | null;
        };
        currency: string;
        /**
         * Format: uri
         * @description Leads to the product, and records that the alert was opened
         */
        url: string;
        /**
         * Format: uri
         * @description Where the customer ends alerts of this kind, without login
         */
        withdrawUrl: string;
        /** @description The price now, in `currency` */
        price: string;
        compareAtPrice: string | null;
        /** @description `price` in the customer's language */
        formattedPrice: string;
        formattedCompareAtPrice: string | null;
        productTitle: string;
        /** @description `null` for a product without options */
        variantTitle: string | null;
        /** @description The product's handle in the store */
        handle: string;
        /**
         * Format: uri
         * @description The product in the store with the variant chosen. Unlike `url`, it records nothing
         */
        productUrl: string;
        /** @description The product's picture */
        imageUrl: string | null;
        /** @description Language of the text to which the customer agreed; `null` where it is unknown, and prices are in English */
        locale: string | null;
        /** @description Read from Shopify for each delivery; `null` unless the shop has granted `read_customers`, or when Shopify did not respond in time */
        customer: {
          name: string;
          email: string | null;
        } | null;
        /** @description The variants of the product of which the alert tells, at most 100: those saved last. The fields beside it are those of the first */
        items: {
          variantId: string;
          /** @description `null` for a product without options */
          variantTitle: string | null;
          /** @description `default` for the customer's wishlist */
          listId: string;
          /** @description What has happened to the variant */
          kinds: ("back_in_stock" | "price_dropped" | "low_stock" | "reminder_due")[];
          /** @description The price now, in `currency` */
          price: string;
          /** @description Where the price fell */
          previousPrice: string | null;
          compareAtPrice: string | null;
          /** @description `price` in the customer's language */
          formattedPrice: string;
          formattedPreviousPrice: string | null;
          formattedCompareAtPrice: string | null;
          inventory: number | null;
          /** Format: date-time */
          savedAt: string;
        }[];
        /** @description What the store has of the variant */
        inventory: number;
      };
    };
    WishlistAlertReminder_dueEvent: {
      /** @constant */
      event: "wishlist.alert.reminder_due";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description The same for all deliveries of the alert */
        alertId: string;
        /** @description Whether the customer asked for an alert about this variant, once */
        requested: boolean;
        consent: {
          /**
           * @description `shopper`: the customer asked for alerts of this kind, or for this one; `none`: the merchant answers for the consent
           * @enum {string}
           */
          basis: "shopper" | "none";
          givenAt: string | null;
        };
        currency: string;
        /**
         * Format: uri
         * @description Leads to the product, and records that the alert was opened
         */
        url: string;
        /**
         * Format: uri
         * @description Where the customer ends alerts of this kind, without login
         */
        withdrawUrl: string;
        /** @description The price now, in `currency` */
        price: string;
        compareAtPrice: string | null;
        /** @description `price` in the customer's language */
        formattedPrice: string;
        formattedCompareAtPrice: string | null;
        productTitle: string;
        /** @description `null` for a product without options */
        variantTitle: string | null;
        /** @description The product's handle in the store */
        handle: string;
        /**
         * Format: uri
         * @description The product in the store with the variant chosen. Unlike `url`, it records nothing
         */
        productUrl: string;
        /** @description The product's picture */
        imageUrl: string | null;
        /** @description Language of the text to which the customer agreed; `null` where it is unknown, and prices are in English */
        locale: string | null;
        /** @description Read from Shopify for each delivery; `null` unless the shop has granted `read_customers`, or when Shopify did not respond in time */
        customer: {
          name: string;
          email: string | null;
        } | null;
        /** @description The variants of the product of which the alert tells, at most 100: those saved last. The fields beside it are those of the first */
        items: {
          variantId: string;
          /** @description `null` for a product without options */
          variantTitle: string | null;
          /** @description `default` for the customer's wishlist */
          listId: string;
          /** @description What has happened to the variant */
          kinds: ("back_in_stock" | "price_dropped" | "low_stock" | "reminder_due")[];
          /** @description The price now, in `currency` */
          price: string;
          /** @description Where the price fell */
          previousPrice: string | null;
          compareAtPrice: string | null;
          /** @description `price` in the customer's language */
          formattedPrice: string;
          formattedPreviousPrice: string | null;
          formattedCompareAtPrice: string | null;
          inventory: number | null;
          /** Format: date-time */
          savedAt: string;
        }[];
        /** Format: date-time */
        savedAt: string;
      };
    };
    WishlistItemBoughtEvent: {
      /** @constant */
      event: "wishlist.item.bought";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        /** @description The customer's id in the store */
        customerId: string;
        productId: string;
        variantId: string;
        /** @description `default` for the customer's wishlist */
        listId: string;
        /** @description The order's id in the store */
        orderId: string;
        /** @description Units of the order's line */
        quantity: number;
        /** @description What was paid for them, after discounts */
        revenue: string;
        /** @description The store's currency */
        currency: string;
        /** @description Whether the customer had the variant in no list, and had asked for an alert about it, for example without an account: then `listId` is `default`, and `savedAt` the time of the request */
        requested: boolean;
        /** Format: date-time */
        savedAt: string;
      };
    };
    WebhookDisabledEvent: {
      /** @constant */
      event: "webhook.disabled";
      /** Format: date-time */
      timestamp: string;
      /** @description The shop's domain */
      shop: string;
      data: {
        webhookId: string;
        /** @description Without its query, which may hold a credential */
        url: string;
        /** @enum {string} */
        reason: "gone" | "failing";
        /** Format: date-time */
        disabledAt: string;
        /**
         * Format: date-time
         * @description Time of the first failure since the last success
         */
        failingSince: string;
        /** @description Deliveries that wait or have failed, at most 10,000 */
        undelivered: number;
        /** @description HTTP status of the last request */
        lastStatus: number | null;
        lastError: string | null;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  exchangeToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TokenExchange"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AccessToken"];
          };
        };
      };
    };
  };
  exchangePublishableKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["StorefrontTokenExchange"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["StorefrontToken"];
          };
        };
      };
    };
  };
  exchangeSessionToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CustomerAccountTokenExchange"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["CustomerAccountToken"];
          };
        };
      };
    };
  };
  getWishlist: {
    parameters: {
      query?: {
        /** @description Items in the page */
        limit?: number;
        /** @description Items to skip */
        offset?: number;
        /** @description With `product`, each item has the data of its product and variant from the catalog cache *(additive)* */
        expand?: "product";
        /** @description Order of the items. `price` and `title` are those of the catalog cache, and items without one come last; `position` is the number that the caller has given the items. *(additive)* */
        sort?: "added_at" | "price" | "title" | "position";
        /** @description `desc` by default for `added_at`, otherwise `asc` *(additive)* */
        direction?: "asc" | "desc";
        /** @description With `true`, only items that can be bought now *(additive)* */
        available?: "true" | "false";
        /** @description Only items whose product has this text in its title, in any case *(additive)* */
        q?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WishlistPage"];
          };
        };
      };
    };
  };
  addItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddItem"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemAdded"];
          };
        };
      };
    };
  };
  removeItem: {
    parameters: {
      query?: {
        /** @description Removes this variant only *(additive)* */
        variant_id?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The product's id in the store */
        productId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemRemoved"];
          };
        };
      };
    };
  };
  mergeWishlist: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MergeWishlist"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WishlistMerged"];
          };
        };
      };
    };
  };
  recordCart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CartReport"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["RecordedCart"];
          };
        };
      };
    };
  };
  getListsContaining: {
    parameters: {
      query: {
        /** @description The products to look for, 1 to 250: the parameter is repeated, and has no commas */
        product_id: string[];
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ListsContaining"];
          };
        };
      };
    };
  };
  getLists: {
    parameters: {
      query?: {
        /** @description Lists in the page */
        limit?: number;
        /** @description `nextCursor` of the page before */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["Lists"];
          };
        };
      };
    };
  };
  createList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateList"];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["List"];
          };
        };
      };
    };
  };
  getList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["List"];
          };
        };
      };
    };
  };
  deleteList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ListDeleted"];
          };
        };
      };
    };
  };
  updateList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateList"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["List"];
          };
        };
      };
    };
  };
  getListItems: {
    parameters: {
      query?: {
        /** @description Items in the page */
        limit?: number;
        /** @description Items to skip */
        offset?: number;
        /** @description With `product`, each item has the data of its product and variant from the catalog cache *(additive)* */
        expand?: "product";
        /** @description Order of the items. `price` and `title` are those of the catalog cache, and items without one come last; `position` is the number that the caller has given the items. *(additive)* */
        sort?: "added_at" | "price" | "title" | "position";
        /** @description `desc` by default for `added_at`, otherwise `asc` *(additive)* */
        direction?: "asc" | "desc";
        /** @description With `true`, only items that can be bought now *(additive)* */
        available?: "true" | "false";
        /** @description Only items whose product has this text in its title, in any case *(additive)* */
        q?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WishlistPage"];
          };
        };
      };
    };
  };
  addListItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddItem"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemAdded"];
          };
        };
      };
    };
  };
  removeListItem: {
    parameters: {
      query?: {
        /** @description Removes this variant only */
        variant_id?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
        /** @description The product's id in the store */
        productId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemRemoved"];
          };
        };
      };
    };
  };
  updateListItem: {
    parameters: {
      query?: {
        /** @description The item's variant */
        variant_id?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
        /** @description The product's id in the store */
        productId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateItem"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemUpdated"];
          };
        };
      };
    };
  };
  moveListItems: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MoveItems"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemsMoved"];
          };
        };
      };
    };
  };
  changeListItems: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeItems"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ItemsChanged"];
          };
        };
      };
    };
  };
  getListHistory: {
    parameters: {
      query?: {
        /** @description Versions in the page */
        limit?: number;
        /** @description `nextCursor` of the page before */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ListHistory"];
          };
        };
      };
    };
  };
  restoreList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RestoreList"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ListRestored"];
          };
        };
      };
    };
  };
  getAlertChoices: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AlertChoices"];
          };
        };
      };
    };
  };
  updateAlertChoices: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AlertChoicesChange"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AlertChoices"];
          };
        };
      };
    };
  };
  listAlertRequests: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AlertRequests"];
          };
        };
      };
    };
  };
  createAlertRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewAlertRequest"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AlertRequestState"];
          };
        };
      };
    };
  };
  removeAlertRequests: {
    parameters: {
      query?: {
        /** @description Only those about this variant */
        variant_id?: string;
        /** @description Only those of this kind */
        kind?: "back_in_stock" | "price_dropped";
      };
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The product's id in the store */
        productId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WithdrawnAlertRequests"];
          };
        };
      };
    };
  };
  shareWishlist: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLink"];
          };
        };
      };
    };
  };
  revokeShareLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLinkRevoked"];
          };
        };
      };
    };
  };
  updateShareLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateShareLink"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLink"];
          };
        };
      };
    };
  };
  shareList: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLink"];
          };
        };
      };
    };
  };
  revokeListShareLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLinkRevoked"];
          };
        };
      };
    };
  };
  updateListShareLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The customer's id in the store, or `me` for the shopper to whom the token is bound */
        customerId: string;
        /** @description The list's id; `default` is the customer's wishlist */
        listId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateShareLink"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ShareLink"];
          };
        };
      };
    };
  };
  getSharedWishlist: {
    parameters: {
      query?: {
        /** @description Items in the page */
        limit?: number;
        /** @description Items to skip */
        offset?: number;
        /** @description With `product`, each item has the data of its product and variant from the catalog cache *(additive)* */
        expand?: "product";
      };
      header?: never;
      path: {
        /** @description The token of a share link */
        shareToken: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["SharedWishlist"];
          };
        };
      };
    };
  };
  getChanges: {
    parameters: {
      query?: {
        /** @description Where to continue: `nextCursor` of an earlier response with the same `types`, or `now` for the end of the feed. When left out, the page begins with the oldest change that is kept. */
        since?: string;
        /** @description Changes in the page */
        limit?: number;
        /** @description Only changes of these types, separated by commas or as a repeated parameter; all types when left out */
        types?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["Changes"];
          };
        };
      };
    };
  };
  streamChanges: {
    parameters: {
      query?: {
        /** @description Where to continue when the request has no `Last-Event-ID`: a cursor of the same `types`, or `now`, which is the default */
        since?: string;
        /** @description Only changes of these types, separated by commas or as a repeated parameter; all types when left out */
        types?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  getAnalyticsOverview: {
    parameters: {
      query?: {
        /** @description Days to include, in the shop's time zone, including today */
        days?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["AnalyticsOverview"];
          };
        };
      };
    };
  };
  getTopProducts: {
    parameters: {
      query?: {
        /** @description Maximum number of products */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["TopProducts"];
          };
        };
      };
    };
  };
  getProductStats: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The product's id in the store */
        productId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["ProductStats"];
          };
        };
      };
    };
  };
  getDailyBreakdown: {
    parameters: {
      query?: {
        /** @description Days to include, in the shop's time zone, including today */
        days?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["DailyBreakdown"];
          };
        };
      };
    };
  };
  getRevenue: {
    parameters: {
      query?: {
        /** @description Days to include, in the shop's time zone, including today */
        days?: number;
        /** @description Maximum number of products */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["Revenue"];
          };
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookList"];
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhook"];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookCreated"];
          };
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["Webhook"];
          };
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookDeleted"];
          };
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateWebhook"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["Webhook"];
          };
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookSecretRotated"];
          };
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: {
        /** @description The event to send, subscribed or not; by default the webhook's first event */
        event?:
          | "wishlist.item.added"
          | "wishlist.item.removed"
          | "wishlist.shared"
          | "wishlist.item.updated"
          | "wishlist.list.created"
          | "wishlist.list.renamed"
          | "wishlist.list.deleted"
          | "wishlist.alert.price_dropped"
          | "wishlist.alert.back_in_stock"
          | "wishlist.alert.low_stock"
          | "wishlist.alert.reminder_due"
          | "wishlist.item.bought"
          | "webhook.disabled";
      };
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookDelivery"];
          };
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Deliveries in the page */
        limit?: number;
        /** @description Return only deliveries older than this one: the `deliveryId` of the previous page's last delivery */
        before?: string;
        /** @description Deliveries to skip. To page through all of them, use `before` */
        offset?: number;
        /** @description Only deliveries with this status */
        status?: "pending" | "succeeded" | "failed";
      };
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookDeliveryPage"];
          };
        };
      };
    };
  };
  redeliverWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The webhook's id, from the response that created it */
        webhookId: string;
        /** @description The delivery's id, from the list of deliveries */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            ok: true;
            data: components["schemas"]["WebhookDelivery"];
          };
        };
      };
    };
  };
  getOpenapi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, never>;
        };
      };
    };
  };
  getDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/html": string;
        };
      };
    };
  };
}

/** The operations of the API by the client's methods. */
export interface Operations {
  "tokens.exchangeApiKey": operations["exchangeToken"];
  "tokens.exchangePublishableKey": operations["exchangePublishableKey"];
  "tokens.exchangeSessionToken": operations["exchangeSessionToken"];
  "wishlists.get": operations["getWishlist"];
  "wishlists.items.add": operations["addItem"];
  "wishlists.items.remove": operations["removeItem"];
  "wishlists.merge": operations["mergeWishlist"];
  "wishlists.recordCart": operations["recordCart"];
  "lists.containing": operations["getListsContaining"];
  "lists.list": operations["getLists"];
  "lists.create": operations["createList"];
  "lists.get": operations["getList"];
  "lists.update": operations["updateList"];
  "lists.delete": operations["deleteList"];
  "lists.items.list": operations["getListItems"];
  "lists.items.add": operations["addListItem"];
  "lists.items.update": operations["updateListItem"];
  "lists.items.remove": operations["removeListItem"];
  "lists.items.move": operations["moveListItems"];
  "lists.items.batch": operations["changeListItems"];
  "lists.history": operations["getListHistory"];
  "lists.restore": operations["restoreList"];
  "alerts.get": operations["getAlertChoices"];
  "alerts.update": operations["updateAlertChoices"];
  "alerts.requests.list": operations["listAlertRequests"];
  "alerts.requests.create": operations["createAlertRequest"];
  "alerts.requests.remove": operations["removeAlertRequests"];
  "wishlists.share": operations["shareWishlist"];
  "wishlists.updateShareLink": operations["updateShareLink"];
  "wishlists.revokeShareLink": operations["revokeShareLink"];
  "lists.share": operations["shareList"];
  "lists.updateShareLink": operations["updateListShareLink"];
  "lists.revokeShareLink": operations["revokeListShareLink"];
  "wishlists.getShared": operations["getSharedWishlist"];
  "changes.list": operations["getChanges"];
  "changes.stream": operations["streamChanges"];
  "analytics.overview": operations["getAnalyticsOverview"];
  "analytics.topProducts": operations["getTopProducts"];
  "analytics.product": operations["getProductStats"];
  "analytics.daily": operations["getDailyBreakdown"];
  "analytics.revenue": operations["getRevenue"];
  "webhooks.create": operations["createWebhook"];
  "webhooks.list": operations["listWebhooks"];
  "webhooks.get": operations["getWebhook"];
  "webhooks.update": operations["updateWebhook"];
  "webhooks.delete": operations["deleteWebhook"];
  "webhooks.rotateSecret": operations["rotateWebhookSecret"];
  "webhooks.test": operations["testWebhook"];
  "webhooks.deliveries.list": operations["listWebhookDeliveries"];
  "webhooks.deliveries.redeliver": operations["redeliverWebhook"];
  "docs.openapi": operations["getOpenapi"];
  "docs.page": operations["getDocs"];
}
