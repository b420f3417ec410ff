import { now } from "../../app/platform/clock.server.ts";
import { generateShop } from "../../prisma/seed/generate.ts";
import { createSubscriptions, type Subscriptions } from "../billing/subscriptions.ts";
import { createBucket, type Bucket } from "../graphql/throttle.ts";
import { createAccessTokens, type AccessTokens } from "../oauth/access-tokens.ts";
import type { Options, Topic } from "../options.ts";
import { createCatalogue, type Catalogue } from "./catalogue.ts";
import { createCarts, type Carts } from "./carts.ts";
import { createCustomers, type Customers } from "./customers.ts";
import { NO_FAULTS, type Faults } from "./faults.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createLogins, type Logins } from "./logins.ts";
import { createPlacements, type Placements } from "./placements.ts";

export interface Installation {
  installed: boolean;
  /** granted scopes */
  scopes: string[];
}

/** A subscription made through the Admin API, next to those of the app's configuration. */
export interface WebhookSubscription {
  id: string;
  topic: Topic;
  uri: string;
  createdAt: Date;
}

/** Everything that the devstore remembers, in memory. */
export interface Store {
  options: Options;
  shop: {
    /** numeric */
    id: string;
    domain: string;
    /** the domain's first part, as admin addresses have it */
    handle: string;
    name: string;
    timeZone: string;
    currency: string;
    email: string;
  };
  staff: { id: string; firstName: string; lastName: string; email: string };
  catalogue: Catalogue;
  customers: Customers;
  carts: Carts;
  logins: Logins;
  installation: Installation;
  tokens: AccessTokens;
  subscriptions: Subscriptions;
  webhookSubscriptions: WebhookSubscription[];
  /** where the theme has which block of the extension */
  placements: Placements;
  bucket: Bucket;
  faults: Faults;
  /** the storefront sends everybody the same page, as a full-page cache does */
  pageCache: { on: boolean; pages: Map<string, string> };
  journal: Journal;
}

export function createStore(options: Options): Store {
  const seed = generateShop(now());
  return {
    options,
    shop: {
      id: "71200000001",
      domain: seed.domain,
      handle: seed.domain.replace(".myshopify.com", ""),
      name: seed.name,
      timeZone: seed.timeZone,
      currency: seed.currency,
      email: "hello@larkfell.example",
    },
    staff: { id: "90210000001", firstName: "Maren", lastName: "Lark", email: "maren@larkfell.example" },
    catalogue: createCatalogue(seed),
    customers: createCustomers(seed),
    carts: createCarts(),
    logins: createLogins(),
    installation: { installed: options.installed, scopes: options.installed ? [...options.scopes] : [] },
    tokens: createAccessTokens(),
    subscriptions: createSubscriptions(options.plan),
    webhookSubscriptions: [],
    placements: createPlacements(options.blocksOn),
    bucket: createBucket(options.restoreRate),
    faults: { ...NO_FAULTS },
    pageCache: { on: false, pages: new Map() },
    journal: createJournal(),
  };
}
