import { SCOPES, TOKEN_LIFETIME } from "../../../access/index.server.ts";
import { PRODUCT } from "../../../brand.ts";
import type { Guide } from "../../../http/v1/openapi/operations.ts";
import { EVENT_TABLE } from "../../../webhooks/index.server.ts";

const scopes = Object.entries(SCOPES)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join("\n");

const description = `
## Authentication

Create an API key in the app's admin under *Settings, API keys*; the secret is shown once. Exchange key and secret at
\`POST /v1/auth/token\` for an access token, which is valid for ${TOKEN_LIFETIME} seconds, and send it as
\`Authorization: Bearer <token>\`.

| scope | allows |
|---|---|
${scopes}

A token can be narrowed to fewer scopes with \`scope\`, and bound to one customer with \`customer_id\`. A bound token gives access to that
customer's wishlist only and never has an admin scope, so a browser or a mobile app may hold it. Never give them a key or a secret.

Pages and apps without a server use a *publishable key* (\`wlp_…\`), which works from the origins that the merchant allows. Exchange it at
\`POST /v1/auth/storefront-token\` for a token that is bound to a guest, or to the customer whom Shopify names. \`me\` in place of a customer's id
is the shopper to whom a token is bound. A guest's token gives access to \`/v1/wishlists/me\` and the paths below it only.

## Responses and errors

A successful response is \`{ "ok": true, "data": … }\`. Every other response is
\`{ "ok": false, "error": { "code", "message", "requestId", "details"? } }\`: \`code\` is for programs and comes from the closed list in the
\`Error\` schema; \`message\` is for people. With \`invalid_request\`, \`details\` lists every problem and its location. The
\`requestId\`, also in the header \`X-Request-Id\`, identifies the request in our log.

Adding a saved item, removing an item that is not saved, and repeating a merge change nothing. After a 5xx response or a lost connection, it is
safe to repeat a change to a wishlist.

## Limits

Requests count against the API key of their token: 120 a minute over all of the key's tokens, or 1,200 for a key that was created for a
storefront's server. Requests with a token that is bound to a customer count against that customer only, 60 a minute; those with a guest's token against the guest,
60 a minute, and against the caller's IP address, 1,200 a minute, as exchanges of a publishable key do. Reads of a shared wishlist
without a token count against the caller's IP address, 60 a minute. Guests' requests for alerts by email have a limit of 10 a minute and IP address besides. Failed authentications have their own limit of 60 a minute per IP address;
above it, the address can't get a token either. A minute starts with its first request. \`RateLimit\` and \`RateLimit-Policy\` show the remaining
requests. Above a limit the response is 429, with \`Retry-After\` in seconds. (These are the defaults; the headers have the limits of this service.)

A list holds up to 2,500 items, a merge up to 500, a batch up to 250 operations, and a customer has up to 50 lists. The body of a merge, a move or a batch may have 256 KiB, the token exchange's 4 KiB, any other 16 KiB.

## Lists

Every customer has a default list, the wishlist at \`/v1/wishlists/{customerId}\`; its list id is \`default\`. Named lists have ids of their own and
need the Growth plan to be created. Each list has its items, its share link and its history: \`version\` counts its changes, and
\`POST …/restore\` brings back the items of an earlier version.

Items can have a \`quantity\`, a \`note\`, \`properties\` and a \`position\`. Responses have them where they are set. With \`expand=product\` each item also
has the data of its product, from the catalog cache.

## Identifiers

Products, variants and customers are identified by their ids in the store: 1 to 255 visible ASCII characters. Texts such as \`undefined\` and \`null\` are refused. A Shopify GID such as
\`gid://shopify/Product/1\` is the same as its last part \`1\`; in a path, percent-encode it once. Responses contain the last part only. \`.\` and
\`..\` are not valid ids.

## Pages

\`limit\` and \`offset\` select a page, newest first. \`total\` is the number of items in the list, \`count\` the number in the page, and \`has_more\`
is true when more items follow.

## Changes

\`GET /v1/changes\` returns every change of customers' lists, oldest first, at least 30 days back. To keep a copy: get a cursor with \`since=now\`, read the lists,
then read on from the cursor; skip changes of a list whose \`version\` is not above the version that you have read. Apply them in their order:

- \`wishlist.item.added\` and \`wishlist.item.updated\` set the item as it is now, \`wishlist.item.removed\` removes it.
- \`wishlist.list.created\`, \`renamed\` and \`moved\` set name and position; \`wishlist.list.deleted\` follows the removal of the list's items.
- \`wishlist.shared\` changes no list.

Items are ordered by \`addedAt\`, newest first; of items with the same time, the one that was added later comes first. The feed does not tell the order of items with the same
time of which one was moved, restored or merged from a guest's list. Several changes can have one \`version\`: a copy is exact after the last of them.

A page with \`hasMore\` false is the end: continue from its \`nextCursor\` later. A cursor belongs to the shop, the \`types\` and the customer of its request. When the
changes after a cursor are not kept any more, the response is 410 \`cursor_expired\`: begin as above. The erasure of a customer removes the customer's changes from
the feed and adds none, so delete your copy when Shopify's \`customers/redact\` arrives.

\`GET /v1/changes/stream\` sends the same changes as server-sent events as they are made. Their \`id\` is a cursor: send the last one as \`Last-Event-ID\` to go on after a
lost connection, without a gap. An event without data only sets the \`id\`. The stream ends when its token expires or its key is revoked, and when the client reads
too slowly. A key, and a customer by their tokens, can have 20 open streams per process.

## Analytics

Reports include every change whose request has completed. Days are calendar days in the store's time zone at the time of the change, and
\`overview\` and \`daily\` cover the same days, including today. Changes by staff, imports and privacy erasures are not shopper activity: they count
only in the number of wishlists that contain a product.

## Webhooks

A webhook receives a POST for each subscribed event. The request is signed according to [Standard Webhooks](https://www.standardwebhooks.com), so
their libraries can verify it: \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`, with the secret from the response that created the webhook.

${EVENT_TABLE}

All events but \`wishlist.item.added\`, \`wishlist.item.removed\` and \`wishlist.shared\`, and their \`listId\`, are *(additive)*; fields with a question mark can be absent.
The body is \`{ "event", "timestamp", "shop", "data" }\`. Respond with 2xx within 15 seconds. Any other response, including a redirect, is retried after
5, 15 and 30 s, 1, 2, 5 and 30 min, 2, 5, 10 and 10 h, each varied by up to 20 %, and not before \`Retry-After\`. Events are delivered at least
once: ignore a \`webhook-id\` that was processed before. A 410 response disables the webhook, and so do five days in which every delivery fails.
The shop's other enabled webhooks that subscribe to \`webhook.disabled\` are sent one event for it.

## Idempotent requests

Creating a list, a batch of operations, creating a webhook, testing it and redelivering an event accept an \`Idempotency-Key\` that the client generates, 1 to 255 visible ASCII characters.
The first response, including a refusal without \`Retry-After\`, is kept for 24 hours and returned again for the same request with the same key.

## Request ids

Each response has our id of the request in \`X-Request-Id\`. An \`X-Request-Id\` of the request itself, 1 to 128 letters, digits and \`. _ : + / = ~ -\`, is logged beside it and returned
in \`X-Client-Request-Id\`; any other value is ignored.

## Caching

A wishlist page, a list and the lists of a customer have an \`ETag\`. Send it as \`If-None-Match\` to get 304 without a body while they are unchanged. Such a request counts against
the limits.

## Browsers

Pages of any origin may send requests, without cookies. CORS allows the request headers \`Authorization\`, \`Content-Type\`, \`If-None-Match\`,
\`Idempotency-Key\`, \`Last-Event-ID\` and \`X-Request-Id\`, and exposes the response headers that this guide names. Every path supports OPTIONS, and every GET that changes nothing
supports HEAD.

## Compatibility

Within \`/v1\`, responses may gain fields, so ignore fields that you do not know. Requests are strict: an unknown field or parameter is refused.
Fields and parameters beyond the wishlist API's specification are marked *(additive)*, and with \`x-additive\` for programs.
A removal is announced with \`Deprecation\` and \`Sunset\` headers.
`;

export const guide: Guide = {
  title: PRODUCT,
  version: "1.0.0",
  summary: "A wishlist for every customer of a store, over a JSON API",
  // Joins wrapped lines, because some Markdown viewers render a line break in a paragraph.
  description: description.trim().replaceAll(/(?<=[^\n|])\n(?=[^\n|#-])/g, " "),
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
  tags: {
    Access: "Exchange an API key for an access token",
    Wishlists: "A customer's saved items: read, add, remove, merge",
    Lists: "Named lists of a customer, their items and their history",
    Sharing: "Links that show a wishlist to everyone who has the link",
    Alerts: "What customers want to be told of: price drops, stock and reminders",
    Changes: "Every change of customers' lists, as pages and as a stream",
    Analytics: "How shoppers use wishlists, over all customers of a store",
    Webhooks: "Events of wishlists, sent to a receiver of yours",
    Documentation: "This document, for programs and people",
  },
  parameters: {
    customerId: "The customer's id in the store, or `me` for the shopper to whom the token is bound",
    listId: "The list's id; `default` is the customer's wishlist",
    productId: "The product's id in the store",
    shareToken: "The token of a share link",
    webhookId: "The webhook's id, from the response that created it",
    deliveryId: "The delivery's id, from the list of deliveries",
  },
  conditional: ["getWishlist", "getLists", "getList", "getListItems", "getOpenapi"],
};
