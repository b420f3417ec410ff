import { z } from "zod";
import { queryAdminApi } from "../admin-api/index.server.ts";
import { env } from "../platform/process/env.server.ts";
import { log } from "../platform/log/log.server.ts";
import { OPTIONAL_SCOPES, type OptionalScope } from "../shopify-sessions/index.server.ts";

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;

interface TopicSubscription {
  /** as `WebhookSubscriptionTopic` names it */
  topic: string;
  /** without which Shopify refuses the subscription */
  scope: OptionalScope;
  path: string;
  includeFields: readonly string[];
}

const ORDER = {
  scope: OPTIONAL_SCOPES.orders,
  path: "/webhooks/orders/create",
  includeFields: ["id", "order_number", "created_at", "customer.id"],
};

/**
 * The topics whose scopes are optional. Shopify refuses a version of the app whose shopify.app.toml subscribes to a topic without requiring its scope, so
 * each store that grants the scope is subscribed by the Admin API.
 */
export const TOPIC_SUBSCRIPTIONS: readonly TopicSubscription[] = [
  {
    topic: "INVENTORY_LEVELS_UPDATE",
    scope: OPTIONAL_SCOPES.inventory,
    path: "/webhooks/inventory_levels/update",
    includeFields: ["inventory_item_id", "location_id"],
  },
  // The service reads the order from the Admin API; the customer's id would need read_customers there.
  { topic: "ORDERS_CREATE", ...ORDER },
  { topic: "ORDERS_CANCELLED", ...ORDER },
  {
    topic: "ORDERS_EDITED",
    scope: OPTIONAL_SCOPES.orders,
    path: "/webhooks/orders/edited",
    includeFields: ["order_edit.order_id"],
  },
  {
    topic: "REFUNDS_CREATE",
    scope: OPTIONAL_SCOPES.orders,
    path: "/webhooks/refunds/create",
    includeFields: ["id", "order_id"],
  },
];

const TOPICS = TOPIC_SUBSCRIPTIONS.map(({ topic }) => topic);

const SUBSCRIPTIONS = `#graphql
  query WebhookSubscriptions($topics: [WebhookSubscriptionTopic!]) {
    webhookSubscriptions(first: 100, topics: $topics) { nodes { id topic uri includeFields } }
  }`;
const subscriptionsSchema = z.object({
  webhookSubscriptions: z.object({
    nodes: z.array(
      z.object({ id: z.string(), topic: z.string(), uri: z.string(), includeFields: z.array(z.string()) }),
    ),
  }),
});

const SUBSCRIBE = `#graphql
  mutation WebhookSubscriptionCreate($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) { userErrors { message } }
  }`;
const UNSUBSCRIBE = `#graphql
  mutation WebhookSubscriptionDelete($id: ID!) {
    webhookSubscriptionDelete(id: $id) { userErrors { message } }
  }`;

const userErrors = z.object({ userErrors: z.array(z.object({ message: z.string() })) }).nullable();
const subscribedSchema = z.object({ webhookSubscriptionCreate: userErrors });
const unsubscribedSchema = z.object({ webhookSubscriptionDelete: userErrors });

type Subscription = z.output<typeof subscriptionsSchema>["webhookSubscriptions"]["nodes"][number];

function isSubscription(
  found: Subscription,
  { topic, path, includeFields }: TopicSubscription,
  appUrl: string,
): boolean {
  const fields = new Set(found.includeFields);
  return (
    found.topic === topic &&
    found.uri === appUrl + path &&
    fields.size === includeFields.length &&
    includeFields.every((field) => fields.has(field))
  );
}

/**
 * Makes the store's subscriptions those of the scopes that it grants: creates missing ones, and deletes those at another address or with other fields. Shopify
 * deletes a subscription whose deliveries have failed for hours.
 * @returns the topics that Shopify reports now; undefined for a shop without a connection
 * @throws AdminApiError
 */
export async function subscribeToTopics(shop: string, scopes: readonly string[]): Promise<Set<string> | undefined> {
  const { shopify } = env();
  if (!shopify) return undefined;
  const { appUrl } = shopify;
  const query = <Data>(document: string, variables: Record<string, unknown>, schema: z.ZodType<Data>) =>
    queryAdminApi(shop, document, { variables, schema, within: BACKGROUND_TIMEOUT });
  const result = await query(SUBSCRIPTIONS, { topics: TOPICS }, subscriptionsSchema);
  if (!result) return undefined;
  const { nodes } = result.data.webhookSubscriptions;
  const wanted = TOPIC_SUBSCRIPTIONS.filter(({ scope }) => scopes.includes(scope));
  // An address can be subscribed to a topic once, so outdated subscriptions go first.
  for (const { id } of nodes.filter((found) => !wanted.some((one) => isSubscription(found, one, appUrl)))) {
    await query(UNSUBSCRIBE, { id }, unsubscribedSchema);
  }
  const stands = (one: TopicSubscription) => nodes.some((found) => isSubscription(found, one, appUrl));
  const reported = new Set(wanted.filter(stands).map(({ topic }) => topic));
  for (const { topic, path, includeFields } of wanted.filter((one) => !stands(one))) {
    const subscription = { uri: appUrl + path, includeFields };
    const created = await query(SUBSCRIBE, { topic, subscription }, subscribedSchema);
    const [problem] = created?.data.webhookSubscriptionCreate?.userErrors ?? [];
    if (problem) log.warn({ shop, topic, reason: problem.message }, "Shopify refuses a subscription to a topic");
    else if (created) reported.add(topic);
  }
  return reported;
}
