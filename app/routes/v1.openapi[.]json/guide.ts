import { SCOPES, TOKEN_LIFETIME } from "../../access/index.server.ts";
import { PRODUCT } from "../../brand.ts";
import type { Guide } from "../../http/v1/openapi/operations.ts";

const scopes = Object.entries(SCOPES)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join("\n");

const description = `
## Authentication

Create an API key in the app's admin under *Settings, API keys*; its secret is shown once. Exchange both at
\`POST /v1/auth/token\` for an access token, which is valid for ${TOKEN_LIFETIME} seconds, and send it as
\`Authorization: Bearer <token>\`.

| scope | allows |
|---|---|
${scopes}

A token can be narrowed to fewer scopes with \`scope\`, and bound to one customer with \`customer_id\`. A bound token reaches that
customer's wishlist only and never has an admin scope, so it can be given to a browser or a mobile app. A key or a secret must not.

## Answers and errors

A success is \`{ "ok": true, "data": … }\`. Anything else is
\`{ "ok": false, "error": { "code", "message", "requestId", "details"? } }\`: \`code\` is for programs and comes from the closed list in the
\`Error\` schema, \`message\` is for people. With \`invalid_request\`, \`details\` lists everything that is wrong and where. The
\`requestId\`, also in the header \`X-Request-Id\`, finds the request in our log.

Adding what is saved, removing what is not and merging twice change nothing. So after a 5xx, or no answer at all, a change to a wishlist can
be repeated.

## Limits

A token counts against its API key: 120 requests a minute over all of the key's tokens, or 1,200 when the key was created for a storefront's
server. A token that is bound to a customer counts against the customer alone, 60 a minute. A shared read without a token counts against the
caller's address, 60 a minute. Failed authentications have a count of their own, 60 a minute per address; beyond that, the address gets no
token either. A minute starts with its first request. \`RateLimit\` and \`RateLimit-Policy\` tell what is left. Beyond it the answer is
429, with \`Retry-After\` in seconds. (These are the defaults; the headers have the numbers of this service.)

A wishlist holds up to 2,500 items, a merge up to 500, a merge's body up to 256 KiB, that of the token exchange 4 KiB, any other 16 KiB.

## Identifiers

Products, variants and customers have the ids that the store gives them: 1 to 255 visible ASCII characters. A Shopify GID such as
\`gid://shopify/Product/1\` means the same as its tail \`1\`; in a path it must be percent-encoded, once. Answers carry the tail. \`.\` and
\`..\` are not ids.

## Pages

\`limit\` and \`offset\` choose a slice, newest first. \`total\` is the size of the whole list, \`count\` that of the slice, and \`has_more\` tells
whether anything follows.

## Analytics

Reports are up to date: they show every change that was answered before. Their days are those of the store's time zone, fixed when a change is
written, and \`overview\` and \`daily\` look at the same days, today included. Items that staff remove, imports and privacy erasures are
nobody's shopping and count in the saved items of a product alone.

## Webhooks

A webhook gets a POST for each event that it asks for, signed as [Standard Webhooks](https://www.standardwebhooks.com) are, so that their packages
verify it: \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` under the secret that creating the webhook answered with.

| event | happens when | \`data\` |
|---|---|---|
| \`wishlist.item.added\` | an item was added, by an add or a merge | \`customerId\`, \`productId\`, \`variantId\` |
| \`wishlist.item.removed\` | an item was removed | the same |
| \`wishlist.shared\` | a share link was made | \`customerId\`, \`shareUrl\`, \`expiresAt\`, \`itemCount\` |

The body is \`{ "event", "timestamp", "shop", "data" }\`. Answer with 2xx within 15 seconds. Anything else, redirects included, is tried again after
5, 15 and 30 s, 1, 2, 5 and 30 min, 2, 5, 10 and 10 h, a fifth more or less, and not before \`Retry-After\`. Deliveries come at least once: an id
that was there before is a repetition. 410 disables a webhook, and so do five days of nothing but failures.

## Repeating a request

Creating, testing and redelivering take an \`Idempotency-Key\` of your making, 1 to 255 visible ASCII characters. The first answer is kept for 24
hours, a refusal too, and repeated to whoever sends the same request with the same key.

## Caching

A wishlist page has an \`ETag\`. Send it as \`If-None-Match\`, and the answer is 304 without a body while nothing has changed. It counts against
the limits all the same.

## Browsers

Any origin may call, without cookies: \`Authorization\`, \`Content-Type\`, \`If-None-Match\` and \`Idempotency-Key\` are allowed, and the headers
named here can be read. Every path answers OPTIONS, and a GET that changes nothing has a HEAD.

## Compatibility

Within \`/v1\` fields of answers are only added, so ignore those that you do not know. Requests are strict: an unknown field or parameter is refused.
Fields and parameters that go beyond the wishlist API's own specification are marked *(additive)*, and with \`x-additive\` for programs.
A removal is announced with \`Deprecation\` and \`Sunset\` headers.
`;

export const guide: Guide = {
  title: PRODUCT,
  version: "v1",
  summary: "A wishlist for every customer of a store, over a JSON API",
  // The lines above break where an editor does; Markdown viewers differ in whether they take that for a break.
  description: description.trim().replaceAll(/(?<=[^\n|])\n(?=[^\n|#])/g, " "),
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
  tags: {
    Access: "From an API key to an access token",
    Wishlists: "What a customer saved: read, add, remove, merge",
    Sharing: "Links that show a wishlist to anybody who has them",
    Analytics: "What shoppers do with their wishlists, over all customers of a store",
    Webhooks: "What happens to wishlists, sent to a receiver of yours as it happens",
    Documentation: "This document, for programs and for people",
  },
  parameters: {
    customerId: "The customer's id in the store",
    productId: "The product's id in the store",
    shareToken: "The token of a share link",
    webhookId: "The id that creating the webhook answered with",
    deliveryId: "The delivery's id, from the list of deliveries",
  },
  conditional: ["getWishlist", "getOpenapi"],
};
