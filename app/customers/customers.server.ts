import type { z } from "zod";
import { log } from "../platform/log/log.server.ts";
import { isShopifyId } from "../admin-api/gid.ts";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { CustomerName, CustomerNames, NoNames, StoreCustomer } from "./customer-names.ts";
import {
  customerGid,
  CUSTOMERS_BY_ID,
  customersByIdSchema,
  CUSTOMER_SEARCH,
  customerSearchSchema,
  type CustomerNode,
} from "./queries.ts";

/** Milliseconds that a page waits for names. Without a response it shows ids. */
const TIMEOUT = 1_500;
/** Customers that a search returns. */
const FOUND = 25;

/** Whether and for which shop customers may be read. */
export interface CustomerAccess {
  shop: string;
  /** whether the shop has granted `read_customers` */
  isPermitted: boolean;
  /** whether the admin shows names */
  isShown: boolean;
}

/** Returns why no customers may be read; undefined if they may. */
function refusal({ isPermitted, isShown }: CustomerAccess): NoNames | undefined {
  if (!isPermitted) return { state: "not_permitted" };
  return isShown ? undefined : { state: "hidden" };
}

async function read<Data>(
  access: CustomerAccess,
  document: string,
  variables: Record<string, unknown>,
  schema: z.ZodType<Data>,
): Promise<Data | NoNames> {
  const refused = refusal(access);
  if (refused) return refused;
  const { shop } = access;
  try {
    const result = await queryAdminApi(shop, document, { variables, schema, within: TIMEOUT });
    return result ? result.data : { state: "unavailable" };
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    // Logs the reason only, because Shopify's message can repeat a searched name.
    log.warn({ shop, reason: error.reason }, "could not read customers from Shopify");
    return { state: "unavailable" };
  }
}

function toName({ displayName, defaultEmailAddress }: CustomerNode): CustomerName | undefined {
  const email = defaultEmailAddress?.emailAddress;
  // The display name of a customer without a name is the email address or the phone number.
  const name = displayName.trim() === "" ? email : displayName.trim();
  return name === undefined ? undefined : { name, email: email === name ? undefined : email };
}

/** Reads the names of customers from Shopify in one query. Failures of Shopify are returned as `NoNames`, never thrown. */
export async function customerNames(access: CustomerAccess, customerIds: readonly string[]): Promise<CustomerNames> {
  const ids = [...new Set(customerIds)].filter(isShopifyId);
  if (ids.length === 0) return refusal(access) ?? { state: "named", byId: {} };
  const data = await read(access, CUSTOMERS_BY_ID, { ids: ids.map(customerGid) }, customersByIdSchema);
  if ("state" in data) return data;
  const named = data.nodes.flatMap((node): [string, CustomerName][] => {
    const name = node && toName(node);
    return node && name ? [[node.id, name]] : [];
  });
  return { state: "named", byId: Object.fromEntries(named) };
}

/**
 * Searches the shop's customers by words of their names and email addresses.
 * @returns at most 25 customers, the best matches first; `more` when Shopify has further matches
 */
export async function searchCustomers(
  access: CustomerAccess,
  text: string,
): Promise<{ customers: StoreCustomer[]; more: boolean } | NoNames> {
  const variables = { query: customerQuery(text), first: FOUND };
  const data = await read(access, CUSTOMER_SEARCH, variables, customerSearchSchema);
  if ("state" in data) return data;
  const customers = data.customers.nodes.flatMap((node) => {
    const name = toName(node);
    return name ? [{ customerId: node.id, ...name }] : [];
  });
  return { customers, more: data.customers.pageInfo.hasNextPage };
}

/** Customers per query of a file, and how often one without a response is repeated. */
const BATCH = { size: 50, attempts: 2 };

/** Reads the names of many customers, for a file. A batch for which Shopify does not respond is left out. */
export async function namesInBatches(
  access: CustomerAccess,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, CustomerName>> {
  const ids = [...new Set(customerIds)];
  const found = new Map<string, CustomerName>();
  for (let from = 0; from < ids.length; from += BATCH.size) {
    const batch = ids.slice(from, from + BATCH.size);
    for (let attempt = 1; attempt <= BATCH.attempts; attempt++) {
      const names = await customerNames(access, batch);
      if (names.state === "named") {
        for (const [id, name] of Object.entries(names.byId)) found.set(id, name);
        break;
      }
      if (names.state !== "unavailable") return found;
    }
  }
  return found;
}

/** The most words of a search; further words are ignored. */
const WORDS = 8;

const PLAIN = /^[\p{L}\p{M}\p{N}]+$/u;
/** Connectives of the search syntax. */
const CONNECTIVE = /^(?:AND|OR|NOT)$/;

/**
 * Returns a query in Shopify's search syntax for customers whose name or email has every word of a text. A plain word matches the beginnings of
 * words. Anything else is quoted, so that it never acts as a field, a connective, a wildcard or a bracket.
 * @see https://shopify.dev/docs/api/usage/search-syntax
 */
function customerQuery(text: string): string {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  return words
    .slice(0, WORDS)
    .map((word) =>
      PLAIN.test(word) && !CONNECTIVE.test(word) ? `${word}*` : `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
    )
    .join(" ");
}
