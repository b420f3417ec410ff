import { z } from "zod";
import { now } from "../../../app/platform/clock.server.ts";
import { isProtected, TOPIC_SCOPES, TOPICS, type Topic } from "../foundation/options.ts";
import type { Store, WebhookSubscription } from "../store/store.ts";
import { gid } from "../foundation/gid.ts";
import { hasScope } from "../foundation/scopes.ts";
import { connection, type PageArguments } from "./connections.ts";
import type { Caller } from "./problems.ts";

const inputSchema = z.object({
  uri: z.url().optional(),
  callbackUrl: z.url().optional(),
  includeFields: z.array(z.string()).nullish(),
});

const FIRST_ID = 1_300_000_000_001;

/** Converts PRODUCTS_UPDATE to products/update. */
function toTopic(name: string): Topic | undefined {
  return TOPICS.find((topic) => topic.replace("/", "_").toUpperCase() === name);
}

function show({ id, topic, uri, includeFields, createdAt }: WebhookSubscription) {
  return {
    __typename: "WebhookSubscription",
    id: gid("WebhookSubscription", id),
    topic: topic.replace("/", "_").toUpperCase(),
    uri,
    includeFields: includeFields ?? [],
    format: "JSON",
    createdAt: createdAt.toISOString(),
    updatedAt: createdAt.toISOString(),
  };
}

/** Resolves subscriptions made through the API. As in Shopify, those of the app's configuration are not listed. */
export function webhookFields(store: Store, caller: Caller) {
  return {
    webhookSubscriptions: ({ topics, ...page }: PageArguments & { topics?: string[] | null }) =>
      connection(
        store.webhookSubscriptions.filter(({ topic }) => topics?.map(toTopic).includes(topic) ?? true),
        page,
        ({ id }) => ({ id, value: Number(id) }),
        show,
      ),
    webhookSubscriptionCreate({ topic, webhookSubscription }: { topic: string; webhookSubscription: unknown }) {
      const wanted = toTopic(topic);
      const { data } = inputSchema.safeParse(webhookSubscription);
      const uri = data?.uri ?? data?.callbackUrl;
      const refuse = (field: string | undefined, message: string) => ({
        webhookSubscription: null,
        userErrors: [{ field: ["webhookSubscription", ...(field === undefined ? [] : [field])], message }],
      });
      if (wanted === undefined) return refuse("topic", "Topic is not known");
      const scope = TOPIC_SCOPES[wanted];
      if (scope !== undefined && !hasScope(caller.scopes, scope)) {
        return refuse("topic", "You cannot create a webhook subscription with the specified topic");
      }
      if (isProtected(wanted) && !store.protectedCustomerData) {
        return refuse(
          undefined,
          "This app is not approved to subscribe to webhook topics containing protected customer data. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.",
        );
      }
      if (uri?.startsWith("https://") !== true) return refuse("uri", "Address protocol must be https://");
      if (store.webhookSubscriptions.some((other) => other.topic === wanted && other.uri === uri)) {
        return refuse("uri", "Address for this topic has already been taken");
      }
      const subscription = {
        id: String(Math.max(FIRST_ID, ...store.webhookSubscriptions.map(({ id }) => Number(id) + 1))),
        topic: wanted,
        uri,
        includeFields: data?.includeFields ?? undefined,
        createdAt: now(),
      };
      store.webhookSubscriptions.push(subscription);
      return { webhookSubscription: show(subscription), userErrors: [] };
    },
    webhookSubscriptionDelete({ id }: { id: string }) {
      const index = store.webhookSubscriptions.findIndex((subscription) => show(subscription).id === id);
      if (index === -1) {
        const userErrors = [{ field: ["id"], message: "Webhook subscription does not exist" }];
        return { deletedWebhookSubscriptionId: null, userErrors };
      }
      store.webhookSubscriptions.splice(index, 1);
      return { deletedWebhookSubscriptionId: id, userErrors: [] };
    },
  };
}
