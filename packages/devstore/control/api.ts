import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  changeCurrency,
  editProduct,
  editVariant,
  lowerPrices,
  restock,
  restorePrices,
  sellOut,
} from "../actions/catalog.ts";
import { flowTriggers, suggestedEmail, turnWorkflow } from "../actions/flow.ts";
import { install, uninstall } from "../actions/installation.ts";
import { cancelOrder, placeOrder, refundOrder } from "../actions/orders.ts";
import { reset } from "../actions/reset.ts";
import { replaceScopes } from "../actions/scopes.ts";
import { STATUSES } from "../store/catalog.ts";
import { faultSwitchesSchema } from "../store/faults.ts";
import { INVENTORY_POLICIES } from "../store/inventory.ts";
import { CURRENCIES } from "../foundation/currency.ts";
import { CANCEL_REASONS } from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import type { SubscriptionStatus } from "../store/subscriptions.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import type { WebhookSender } from "../webhooks/sender.ts";

const productId = z.object({ productId: z.string() });
const customerId = z.object({ customerId: z.string() });
/** tenths of a hundredth, for currencies with three decimals */
const cents = z.coerce.number().multipleOf(0.1).min(0);
const variantEdit = {
  priceCents: cents.optional(),
  /** null removes it */
  compareAtPriceCents: cents.nullable().optional(),
  quantity: z.coerce.number().int().min(-1_000_000).max(1_000_000).optional(),
  tracked: z.boolean().optional(),
  policy: z.enum(INVENTORY_POLICIES).optional(),
};

/** The actions of the control page's buttons; an action's name is the last part of its path. */
const actionSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("faults"), faults: faultSwitchesSchema.partial() }),
  z.object({ action: z.literal("reset") }),
  z.object({ action: z.literal("page-cache"), on: z.boolean() }),
  /** whether visitors are in a region that requires consent */
  z.object({ action: z.literal("consent-banner"), on: z.boolean() }),
  /** whether session tokens of extensions name the customer */
  z.object({ action: z.literal("protected-customer-data"), on: z.boolean() }),
  z.object({ action: z.literal("drain-bucket") }),
  z.object({ action: z.literal("expire-tokens") }),
  z.object({
    action: z.literal("block"),
    block: z.string(),
    on: z.boolean(),
    settings: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ action: z.literal("install") }),
  z.object({ action: z.literal("uninstall") }),
  z.object({ action: z.literal("scopes"), scopes: z.array(z.string()) }),
  z.object({
    action: z.literal("create-product"),
    title: z.string().min(1),
    priceCents: cents.default(1_900),
    status: z.enum(STATUSES).default("ACTIVE"),
  }),
  z.object({
    action: z.literal("edit-product"),
    ...productId.shape,
    title: z.string().min(1).optional(),
    ...variantEdit,
    available: z.boolean().optional(),
    status: z.enum(STATUSES).optional(),
    published: z.boolean().optional(),
  }),
  z.object({ action: z.literal("edit-variant"), variantId: z.string(), ...variantEdit }),
  z.object({
    action: z.literal("lower-price"),
    ...productId.shape,
    percent: z.coerce.number().min(1).max(99).default(20),
  }),
  z.object({ action: z.literal("restore-price"), ...productId.shape }),
  z.object({ action: z.literal("sell-out"), ...productId.shape }),
  z.object({ action: z.literal("restock"), ...productId.shape, quantity: variantEdit.quantity }),
  z.object({ action: z.literal("delete-product"), ...productId.shape }),
  z.object({ action: z.literal("currency"), currency: z.enum(CURRENCIES) }),
  z.object({
    action: z.literal("place-order"),
    lines: z
      .array(z.object({ variantId: z.string(), quantity: z.coerce.number().int().min(1).default(1) }))
      .min(1)
      .max(500),
    /** without customer and email, the order has no customer */
    customerId: z.string().optional(),
    email: z.email().optional(),
    discountPercent: z.coerce.number().min(0).max(100).optional(),
    test: z.boolean().optional(),
    createdAt: z.iso.datetime().optional(),
  }),
  z.object({
    action: z.literal("refund-order"),
    orderId: z.string(),
    /** all that is left by default */
    lines: z
      .array(z.object({ lineId: z.string(), quantity: z.coerce.number().int().min(1) }))
      .min(1)
      .optional(),
    restock: z.boolean().default(true),
  }),
  z.object({
    action: z.literal("cancel-order"),
    orderId: z.string(),
    reason: z.enum(CANCEL_REASONS).default("CUSTOMER"),
    refund: z.boolean().default(true),
    restock: z.boolean().default(true),
  }),
  z.object({
    action: z.literal("create-workflow"),
    trigger: z.string(),
    /** the texts use the trigger's fields by default */
    name: z.string().min(1).optional(),
    to: z.string().min(1).optional(),
    subject: z.string().min(1).optional(),
    body: z.string().min(1).optional(),
    on: z.boolean().default(true),
  }),
  z.object({ action: z.literal("turn-workflow"), workflowId: z.string(), on: z.boolean() }),
  z.object({ action: z.literal("delete-workflow"), workflowId: z.string() }),
  z.object({ action: z.literal("klaviyo-revoke") }),
  z.object({ action: z.literal("klaviyo-scope"), on: z.boolean() }),
  z.object({ action: z.literal("data-request"), ...customerId.shape }),
  z.object({ action: z.literal("redact-customer"), ...customerId.shape }),
  z.object({ action: z.literal("redact-shop") }),
  z.object({ action: z.literal("customer-token"), ...customerId.shape }),
  z.object({ action: z.literal("revoke-customer-tokens"), ...customerId.shape }),
  z.object({ action: z.literal("cancel-subscription") }),
  z.object({ action: z.literal("freeze-subscription") }),
  z.object({ action: z.literal("unfreeze-subscription") }),
  z.object({ action: z.literal("expire-subscription") }),
  z.object({ action: z.literal("await-deliveries") }),
]);
type Action = z.infer<typeof actionSchema>;

/** The action refers to something that does not exist. */
class NotFound extends Error {}

function customer(store: Store, id: string) {
  const found = store.customers.byId(id);
  if (found === undefined) throw new NotFound(`no customer has the id ${id}`);
  return found;
}

function productById(store: Store, id: string) {
  return required(store.catalog.byId(id), `product ${id}`);
}

function orderById(store: Store, id: string) {
  return required(store.orders.byId(id), `order ${id}`);
}

function workflowById(store: Store, id: string) {
  return required(store.flow.byId(id), `workflow ${id}`);
}

function required<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new NotFound(`there is no ${what}`);
  return found;
}

/** Returns the id of the newest subscription with a status. */
function latest(store: Store, status: SubscriptionStatus): string {
  const found = store.subscriptions.all().findLast((subscription) => subscription.status === status);
  return required(found, `${status.toLowerCase()} subscription`).id;
}

async function perform(store: Store, events: StoreEvents, sender: WebhookSender, action: Action): Promise<object> {
  // Cached pages may show what the action changes.
  store.pageCache.pages.clear();
  switch (action.action) {
    case "faults":
      Object.assign(store.faults.switches, action.faults);
      return { faults: store.faults.switches };
    case "reset":
      reset(store);
      return {};
    case "page-cache":
      store.pageCache.on = action.on;
      return { pageCache: action.on };
    case "consent-banner":
      store.consentBanner = action.on;
      return { consentBanner: action.on };
    case "protected-customer-data":
      store.protectedCustomerData = action.on;
      return { protectedCustomerData: action.on };
    case "drain-bucket":
      store.rateLimit.drain();
      return { throttleStatus: store.rateLimit.status() };
    case "expire-tokens":
      store.tokens.expireAll();
      return {};
    case "block":
      store.blockPlacements.switch(action.block, action.on);
      if (action.settings !== undefined) store.blockPlacements.configure(action.block, action.settings);
      return {};
    case "install":
      install(store);
      return {};
    case "uninstall":
      uninstall(store, events);
      return {};
    case "scopes":
      replaceScopes(store, events, action.scopes);
      return {};
    case "create-product": {
      const created = store.catalog.create(action.title, action.priceCents, action.status);
      events.productChanged("create", created);
      return { productId: created.id, handle: created.handle };
    }
    case "edit-product": {
      const { action: _, productId: id, ...edit } = action;
      return { productId: required(editProduct(store, events, id, edit), `product ${id}`).id };
    }
    case "edit-variant": {
      const { action: _, variantId, ...edit } = action;
      return { productId: required(editVariant(store, events, variantId, edit), `variant ${variantId}`).product.id };
    }
    case "lower-price":
      lowerPrices(store, events, productById(store, action.productId), action.percent);
      return {};
    case "restore-price":
      restorePrices(store, events, productById(store, action.productId));
      return {};
    case "sell-out":
      required(sellOut(store, events, action.productId), `product ${action.productId}`);
      return {};
    case "restock":
      required(restock(store, events, action.productId, action.quantity), `product ${action.productId}`);
      return {};
    case "currency":
      changeCurrency(store, events, action.currency);
      return { currency: store.shop.currency };
    case "delete-product": {
      const removed = required(store.catalog.remove(action.productId), `product ${action.productId}`);
      events.productDeleted(removed.id);
      return { productId: removed.id };
    }
    case "place-order": {
      const { action: _, createdAt, ...purchase } = action;
      const order = placeOrder(store, events, {
        ...purchase,
        createdAt: createdAt === undefined ? undefined : new Date(createdAt),
      });
      return {
        orderId: order.id,
        name: order.name,
        lines: order.lines.map(({ id, variantId }) => ({ id, variantId })),
      };
    }
    case "refund-order":
      return { refundId: refundOrder(store, events, orderById(store, action.orderId), action).id };
    case "cancel-order":
      cancelOrder(store, events, orderById(store, action.orderId), action);
      return {};
    case "create-workflow": {
      const { on, trigger: handle } = action;
      const trigger = required(
        flowTriggers(store).find((one) => one.handle === handle),
        `Flow trigger ${handle}`,
      );
      const suggested = suggestedEmail(trigger);
      const workflow = store.flow.create({
        trigger: handle,
        name: action.name ?? suggested.name,
        to: action.to ?? suggested.to,
        subject: action.subject ?? suggested.subject,
        body: action.body ?? suggested.body,
      });
      if (on) {
        await turnWorkflow(store, workflow, true).catch((error: unknown) => {
          store.flow.remove(workflow);
          throw error;
        });
      }
      return { workflowId: workflow.id };
    }
    case "turn-workflow":
      await turnWorkflow(store, workflowById(store, action.workflowId), action.on);
      return {};
    case "delete-workflow": {
      const workflow = workflowById(store, action.workflowId);
      await turnWorkflow(store, workflow, false);
      store.flow.remove(workflow);
      return {};
    }
    case "klaviyo-revoke":
      store.klaviyo.key = `pk_devstore_${randomBytes(17).toString("hex")}`;
      return { key: store.klaviyo.key };
    case "klaviyo-scope":
      if (action.on) store.klaviyo.scopes.add("events:write");
      else store.klaviyo.scopes.delete("events:write");
      return {};
    case "data-request":
      events.customerDataRequested(customer(store, action.customerId));
      return {};
    case "redact-customer":
      events.customerRedacted(customer(store, action.customerId));
      return {};
    case "customer-token":
      return store.customerTokens.issue(customer(store, action.customerId).id);
    case "revoke-customer-tokens":
      store.customerTokens.revoke(customer(store, action.customerId).id);
      return {};
    case "redact-shop":
      events.shopRedacted();
      return {};
    case "cancel-subscription": {
      const subscription = required(store.subscriptions.active()[0], "active subscription");
      events.subscriptionsChanged(store.subscriptions.cancel(subscription.id));
      return {};
    }
    case "freeze-subscription":
      events.subscriptionsChanged(store.subscriptions.freeze(latest(store, "ACTIVE")));
      return {};
    case "unfreeze-subscription":
      events.subscriptionsChanged(store.subscriptions.unfreeze(latest(store, "FROZEN")));
      return {};
    case "expire-subscription":
      events.subscriptionsChanged(store.subscriptions.expire(latest(store, "PENDING")));
      return {};
    case "await-deliveries":
      await sender.idle();
      return { deliveries: sender.deliveries() };
  }
}

/** `POST /devstore/api/{action}` with a JSON body: performs an action, or responds with `error`. */
export async function controlApi(
  store: Store,
  events: StoreEvents,
  sender: WebhookSender,
  name: string,
  request: Request,
): Promise<Response> {
  const text = await request.text();
  try {
    const body: unknown = text === "" ? {} : JSON.parse(text);
    const action = actionSchema.parse(typeof body === "object" ? { ...body, action: name } : body);
    return Response.json({ ok: true, ...(await perform(store, events, sender, action)) });
  } catch (error) {
    const status = error instanceof NotFound ? 404 : 400;
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : "?";
    return Response.json({ ok: false, error: problem }, { status });
  }
}

/** `GET /devstore/api/state` */
export function controlState(store: Store, sender: WebhookSender): Response {
  return Response.json({
    faults: store.faults.switches,
    installed: store.installation.installed,
    scopes: store.installation.scopes,
    currency: store.shop.currency,
    pageCache: store.pageCache.on,
    throttleStatus: store.rateLimit.status(),
    subscriptions: store.subscriptions.all(),
    deliveries: sender.deliveries(),
    journal: store.journal.entries(),
    customers: store.customers.demoLogins(),
    orders: store.orders.all(),
    flow: {
      workflows: store.flow.workflows(),
      received: store.flow.received(),
      emails: store.flow.emails(),
    },
  });
}
