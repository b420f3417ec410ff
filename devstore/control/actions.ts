import { z } from "zod";
import type { SubscriptionStatus } from "../billing/subscriptions.ts";
import { faultsSchema, NO_FAULTS } from "../store/faults.ts";
import { MAXIMUM } from "../graphql/throttle.ts";
import { STATUSES } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import type { Hooks } from "../webhooks/hooks.ts";
import type { Sender } from "../webhooks/sender.ts";

const productId = z.object({ productId: z.string() });
const customerId = z.object({ customerId: z.string() });
const cents = z.coerce.number().int().min(0);

/** What the control page's buttons and tests can ask for; the name is the last part of the path. */
const actionSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("faults"), faults: faultsSchema.partial() }),
  z.object({ action: z.literal("reset") }),
  z.object({ action: z.literal("page-cache"), on: z.boolean() }),
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
    priceCents: cents.optional(),
    available: z.boolean().optional(),
    status: z.enum(STATUSES).optional(),
    published: z.boolean().optional(),
  }),
  z.object({ action: z.literal("delete-product"), ...productId.shape }),
  z.object({ action: z.literal("data-request"), ...customerId.shape }),
  z.object({ action: z.literal("redact-customer"), ...customerId.shape }),
  z.object({ action: z.literal("redact-shop") }),
  z.object({ action: z.literal("cancel-subscription") }),
  z.object({ action: z.literal("freeze-subscription") }),
  z.object({ action: z.literal("thaw-subscription") }),
  z.object({ action: z.literal("expire-subscription") }),
  z.object({ action: z.literal("settle") }),
]);
type Action = z.infer<typeof actionSchema>;

/** Something that the action needs is not there. */
class Missing extends Error {}

export function install(store: Store): void {
  store.installation.installed = true;
  store.installation.scopes = [...store.options.scopes];
  store.journal.add({ kind: "install", what: "installed" });
}

/** Tokens end and nothing more is charged, before the app hears of it. */
function uninstall(store: Store, hooks: Hooks): void {
  store.tokens.revokeAll();
  const cancelled = store.subscriptions.cancelAll();
  store.installation.installed = false;
  store.installation.scopes = [];
  store.webhookSubscriptions.length = 0;
  store.journal.add({ kind: "install", what: "uninstalled" });
  hooks.subscriptionsChanged(cancelled);
  hooks.uninstalled();
}

function reset(store: Store): void {
  Object.assign(store.faults, NO_FAULTS);
  store.catalogue.reset();
  store.placements.reset();
  store.pageCache.on = false;
  store.pageCache.pages.clear();
  store.bucket.giveBack(MAXIMUM);
  store.journal.clear();
}

function customer(store: Store, id: string) {
  const found = store.customers.byId(id);
  if (found === undefined) throw new Missing(`there is no customer ${id}`);
  return found;
}

function present<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Missing(`there is no ${what}`);
  return found;
}

/** The id of the newest subscription in a state. */
function latest(store: Store, status: SubscriptionStatus): string {
  const found = store.subscriptions.all().findLast((subscription) => subscription.status === status);
  return present(found, `${status.toLowerCase()} subscription`).id;
}

async function perform(store: Store, hooks: Hooks, sender: Sender, action: Action): Promise<object> {
  // What the storefront has kept may show what is changed here.
  store.pageCache.pages.clear();
  switch (action.action) {
    case "faults":
      Object.assign(store.faults, action.faults);
      return { faults: store.faults };
    case "reset":
      reset(store);
      return {};
    case "page-cache":
      store.pageCache.on = action.on;
      return { pageCache: action.on };
    case "drain-bucket":
      store.bucket.drain();
      return { throttleStatus: store.bucket.status() };
    case "expire-tokens":
      store.tokens.expireAll();
      return {};
    case "block":
      store.placements.turn(action.block, action.on);
      if (action.settings !== undefined) store.placements.set(action.block, action.settings);
      return {};
    case "install":
      install(store);
      return {};
    case "uninstall":
      uninstall(store, hooks);
      return {};
    case "scopes": {
      const previous = store.installation.scopes;
      store.installation.scopes = [...action.scopes];
      store.tokens.expireAll();
      hooks.scopesUpdated(previous);
      return {};
    }
    case "create-product": {
      const product = store.catalogue.create(action.title, action.priceCents, action.status);
      hooks.productChanged("create", product);
      return { productId: product.id, handle: product.handle };
    }
    case "edit-product": {
      const product = present(store.catalogue.edit(action.productId, action), `product ${action.productId}`);
      hooks.productChanged("update", product);
      return { productId: product.id };
    }
    case "delete-product": {
      const product = present(store.catalogue.remove(action.productId), `product ${action.productId}`);
      hooks.productDeleted(product.id);
      return { productId: product.id };
    }
    case "data-request":
      hooks.customerDataRequested(customer(store, action.customerId));
      return {};
    case "redact-customer":
      hooks.customerRedacted(customer(store, action.customerId));
      return {};
    case "redact-shop":
      hooks.shopRedacted();
      return {};
    case "cancel-subscription": {
      const subscription = present(store.subscriptions.active()[0], "active subscription");
      hooks.subscriptionsChanged(store.subscriptions.cancel(subscription.id));
      return {};
    }
    case "freeze-subscription":
      hooks.subscriptionsChanged(store.subscriptions.freeze(latest(store, "ACTIVE")));
      return {};
    case "thaw-subscription":
      hooks.subscriptionsChanged(store.subscriptions.thaw(latest(store, "FROZEN")));
      return {};
    case "expire-subscription":
      hooks.subscriptionsChanged(store.subscriptions.expire(latest(store, "PENDING")));
      return {};
    case "settle":
      await sender.settled();
      return { deliveries: sender.deliveries() };
  }
}

/** `POST /devstore/api/{action}` with a JSON body; a mistake says what is wrong. */
export async function controlApi(
  store: Store,
  hooks: Hooks,
  sender: Sender,
  name: string,
  request: Request,
): Promise<Response> {
  const text = await request.text();
  try {
    const body: unknown = text === "" ? {} : JSON.parse(text);
    const action = actionSchema.parse(typeof body === "object" ? { ...body, action: name } : body);
    return Response.json({ ok: true, ...(await perform(store, hooks, sender, action)) });
  } catch (error) {
    const status = error instanceof Missing ? 404 : 400;
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : "?";
    return Response.json({ ok: false, error: problem }, { status });
  }
}

/** `GET /devstore/api/state` */
export function controlState(store: Store, sender: Sender): Response {
  return Response.json({
    faults: store.faults,
    installed: store.installation.installed,
    scopes: store.installation.scopes,
    pageCache: store.pageCache.on,
    throttleStatus: store.bucket.status(),
    subscriptions: store.subscriptions.all(),
    deliveries: sender.deliveries(),
    journal: store.journal.entries(),
    customers: store.customers.toLogIn,
  });
}
