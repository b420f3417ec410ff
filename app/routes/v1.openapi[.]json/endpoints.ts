import { documentTag } from "../../http/v1/openapi/entity-tag.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { openapiDocument } from "../../http/v1/openapi/operations.ts";
import { unmetered } from "../../http/v1/policies.server.ts";
import { resource, type Resource } from "../../http/resource.server.ts";
import { loader as daily } from "../v1.analytics.daily.ts";
import { loader as revenue } from "../v1.analytics.revenue.ts";
import { loader as overview } from "../v1.analytics.overview.ts";
import { loader as productStats } from "../v1.analytics.product.$productId.ts";
import { loader as topProducts } from "../v1.analytics.top-products.ts";
import { loader as customerAccountToken } from "../v1.auth.customer-account-token.ts";
import { loader as storefrontToken } from "../v1.auth.storefront-token.ts";
import { loader as token } from "../v1.auth.token.ts";
import { loader as changes } from "../v1.changes.ts";
import { loader as changeStream } from "../v1.changes.stream.ts";
import { loader as docs } from "../v1.docs/route.ts";
import { provideDocument } from "../v1.docs/source.ts";
import { loader as webhook } from "../v1.webhooks.$webhookId.ts";
import { loader as redelivery } from "../v1.webhooks.$webhookId.deliveries.$deliveryId.redeliver.ts";
import { loader as deliveries } from "../v1.webhooks.$webhookId.deliveries.ts";
import { loader as rotation } from "../v1.webhooks.$webhookId.rotate-secret.ts";
import { loader as webhookTest } from "../v1.webhooks.$webhookId.test/route.ts";
import { loader as webhooks } from "../v1.webhooks.ts";
import { loader as wishlist } from "../v1.wishlists.$customerId.ts";
import { loader as item } from "../v1.wishlists.$customerId.items.$productId.ts";
import { loader as items } from "../v1.wishlists.$customerId.items.ts";
import { loader as contains } from "../v1.wishlists.$customerId.contains.ts";
import { loader as lists } from "../v1.wishlists.$customerId.lists.ts";
import { loader as list } from "../v1.wishlists.$customerId.lists.$listId.ts";
import { loader as listHistory } from "../v1.wishlists.$customerId.lists.$listId.history.ts";
import { loader as listItems } from "../v1.wishlists.$customerId.lists.$listId.items.ts";
import { loader as listItem } from "../v1.wishlists.$customerId.lists.$listId.items.$productId.ts";
import { loader as listBatch } from "../v1.wishlists.$customerId.lists.$listId.items.batch.ts";
import { loader as listMove } from "../v1.wishlists.$customerId.lists.$listId.items.move.ts";
import { loader as listRestore } from "../v1.wishlists.$customerId.lists.$listId.restore.ts";
import { loader as listShare } from "../v1.wishlists.$customerId.lists.$listId.share.ts";
import { loader as merge } from "../v1.wishlists.$customerId.merge.ts";
import { loader as alerts } from "../v1.wishlists.$customerId.alerts.ts";
import { loader as share } from "../v1.wishlists.$customerId.share.ts";
import { loader as shared } from "../v1.wishlists.shared.$shareToken.ts";
import { EVENT_DESCRIPTIONS } from "../../webhooks/index.server.ts";
import { guide } from "./guide.ts";

const getOpenapi = endpoint({
  method: "GET",
  operationId: "getOpenapi",
  tag: "Documentation",
  summary: "This document",
  description: "The OpenAPI 3.1 document of the API, for code generators, clients and tests.",
  access: unmetered,
  compressed: true,
  params: noParameters,
  query: noParameters,
  body: noBody,
  data: "application/json",
  handle({ knownTags }) {
    published ??= publish();
    const { json, tag } = published;
    const headers = { ETag: tag, "Cache-Control": "public, max-age=300" };
    return knownTags.includes(tag) || knownTags.includes("*")
      ? { notModified: true, headers }
      : { document: json, type: "application/json; charset=utf-8", headers };
  },
});

export const openapi = resource("/v1/openapi.json", [getOpenapi]);

/** All resources under /v1, in the order of the document. */
export const resources: readonly Resource[] = [
  token,
  storefrontToken,
  customerAccountToken,
  wishlist,
  items,
  item,
  merge,
  contains,
  lists,
  list,
  listItems,
  listItem,
  listMove,
  listBatch,
  listHistory,
  listRestore,
  alerts,
  share,
  listShare,
  shared,
  changes,
  changeStream,
  overview,
  topProducts,
  productStats,
  daily,
  revenue,
  webhooks,
  webhook,
  rotation,
  webhookTest,
  deliveries,
  redelivery,
  openapi.loader,
  docs,
].map(({ described }) => described);

export function document(): ReturnType<typeof openapiDocument> {
  return openapiDocument(resources, EVENT_DESCRIPTIONS, guide);
}

provideDocument(document);

/** The serialized document, created at the first request. */
let published: { json: string; tag: string } | undefined;

function publish(): { json: string; tag: string } {
  const json = JSON.stringify(document());
  return { json, tag: documentTag(json) };
}
