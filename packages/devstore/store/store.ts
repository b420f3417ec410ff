import { createHash } from "node:crypto";
import { now } from "../../../app/platform/clock.server.ts";
import { generateShop } from "../../../prisma/seed/generate.ts";
import { createAppClient, type AppClient } from "../foundation/app-client.ts";
import type { Options, Topic } from "../foundation/options.ts";
import { createAccessTokens, type AccessTokens } from "./access-tokens.ts";
import { createAuthorizationCodes, type AuthorizationCodes } from "./authorization-codes.ts";
import { createBlockPlacements, type BlockPlacements } from "./block-placements.ts";
import { createCarts, type Carts } from "./carts.ts";
import { createCatalog, type Catalog } from "./catalog.ts";
import { createCustomerSessions, type CustomerSessions } from "./customer-sessions.ts";
import { createCustomerTokens, type CustomerTokens } from "./customer-tokens.ts";
import { createCustomers, type Customers } from "./customers.ts";
import { createDraftOrders, type DraftOrders } from "./draft-orders.ts";
import { createFaults, type AdminApiRequest, type Faults } from "./faults.ts";
import { createFlow, type Flow } from "./flow.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { createKlaviyo, type Klaviyo } from "./klaviyo.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createOrders, type Orders } from "./orders.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

export interface Shop {
  /** numeric */
  id: string;
  domain: string;
  /** the domain's first part, which admin addresses contain */
  handle: string;
  name: string;
  /** IANA name */
  timeZone: string;
  /** ISO 4217 */
  currency: string;
  email: string;
  /** what staff have set under Brand, with colors such as #1a1a1a; null for nothing */
  brand: { logoUrl: string | null; primary: string[]; secondary: string[] } | null;
  /** a development store, on which an app's charges are tests */
  isDevelopmentStore: boolean;
}

export interface Installation {
  installed: boolean;
  /** granted scopes */
  scopes: string[];
}

/** A subscription made through the Admin API, in addition to those of the app's configuration. */
export interface WebhookSubscription {
  id: string;
  topic: Topic;
  uri: string;
  /** undefined for all */
  includeFields: readonly string[] | undefined;
  createdAt: Date;
}

/** The state of one store, in memory. */
export interface Store {
  options: Options;
  app: AppClient;
  shop: Shop;
  staff: {
    owner: { id: string; firstName: string; lastName: string; email: string };
    /** staff members whose session tokens are accepted */
    ids: Set<string>;
  };
  catalog: Catalog;
  customers: Customers;
  carts: Carts;
  orders: Orders;
  draftOrders: DraftOrders;
  flow: Flow;
  /** shared by all stores of a devstore, which has one mail server */
  inbox: Inbox;
  /** shared in the same way */
  klaviyo: Klaviyo;
  customerSessions: CustomerSessions;
  /** whether session tokens of extensions name the customer: the app has access to protected customer data */
  protectedCustomerData: boolean;
  /** of the Customer Account API */
  customerTokens: CustomerTokens;
  /** of logins for the Customer Account API */
  authorizationCodes: AuthorizationCodes;
  installation: Installation;
  tokens: AccessTokens;
  subscriptions: Subscriptions;
  webhookSubscriptions: WebhookSubscription[];
  blockPlacements: BlockPlacements;
  /** see the option */
  storefrontLogin: boolean;
  /** see the option */
  consentBanner: boolean;
  rateLimit: RateLimit;
  faults: Faults;
  /** serves the same page to every visitor, as a full-page cache does */
  pageCache: { on: boolean; pages: Map<string, string> };
  journal: Journal;
  /** requests to the Admin API in order of arrival, refused ones included */
  adminApiRequests: AdminApiRequest[];
  /** requests to the Customer Account API in order of arrival, refused ones included */
  customerApiRequests: { query: string }[];
  /** requests to the storefront in order of arrival, with the path as in the address */
  storefrontRequests: { method: string; path: string }[];
}

const MAXIMUM_REQUESTS = 10_000;

/** Records a request, and drops the oldest of a long-running devstore. */
export function recordRequest<Request>(requests: Request[], request: Request): void {
  requests.push(request);
  if (requests.length > MAXIMUM_REQUESTS) requests.shift();
}

/** Returns the facts about a shop with this domain; its id depends on the domain only. */
export function shopWithDomain(domain: string, facts: Partial<Shop> = {}): Shop {
  return {
    id: String(80_000_000_000 + createHash("sha256").update(domain).digest().readUInt32BE()),
    domain,
    handle: domain.replace(".myshopify.com", ""),
    name: "A store",
    timeZone: "Europe/Berlin",
    currency: "EUR",
    email: "owner@store.example",
    brand: null,
    isDevelopmentStore: true,
    ...facts,
  };
}

/** What all stores of a devstore share besides the app. */
export function createMarketing(): Pick<Store, "inbox" | "klaviyo"> {
  return { inbox: createInbox(), klaviyo: createKlaviyo() };
}

/** @param data products and customers */
export function createStore(
  options: Options,
  domain: string,
  data: Options["data"],
  app = createAppClient(options),
  { inbox, klaviyo } = createMarketing(),
): Store {
  const seed = data === "demo" ? generateShop(now()) : undefined;
  const owner = { id: "90210000001", firstName: "Maren", lastName: "Lark", email: "maren@larkfell.example" };
  return {
    options,
    app,
    shop: shopWithDomain(domain, {
      isDevelopmentStore: options.developmentStore,
      ...(seed !== undefined && {
        id: "71200000001",
        name: seed.name,
        timeZone: seed.timeZone,
        currency: seed.currency,
        email: "hello@larkfell.example",
        brand: { logoUrl: null, primary: ["#2f4b3c"], secondary: [] },
      }),
    }),
    staff: { owner, ids: new Set([owner.id]) },
    catalog: createCatalog(seed?.products),
    customers: createCustomers(seed),
    carts: createCarts(),
    orders: createOrders(),
    draftOrders: createDraftOrders(),
    flow: createFlow(),
    inbox,
    klaviyo,
    customerSessions: createCustomerSessions(),
    protectedCustomerData: true,
    customerTokens: createCustomerTokens(),
    authorizationCodes: createAuthorizationCodes(),
    installation: { installed: options.installed, scopes: options.installed ? [...options.scopes] : [] },
    tokens: createAccessTokens(),
    subscriptions: createSubscriptions(options.plan),
    webhookSubscriptions: [],
    blockPlacements: createBlockPlacements(options.blocksOn),
    storefrontLogin: options.storefrontLogin,
    consentBanner: options.consentBanner,
    rateLimit: createRateLimit(options.restoreRate),
    faults: createFaults(),
    pageCache: { on: false, pages: new Map() },
    journal: createJournal(),
    adminApiRequests: [],
    customerApiRequests: [],
    storefrontRequests: [],
  };
}
