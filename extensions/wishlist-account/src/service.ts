import {
  createClient,
  isWishlistError,
  WishlistError,
  type Client,
  type List,
  type Output,
} from "@wishlist-headless/sdk";

/** The shop of the customer accounts, what its plan includes, and how it writes prices. */
type Offer = Pick<Output<"tokens.exchangeSessionToken">, "shop" | "features" | "moneyFormat">;

/** Of the last exchange, which every response follows. */
let offer: Offer = { shop: "", features: { lists: false, sharing: false }, moneyFormat: null };

async function sessionToken(): Promise<string> {
  try {
    return await shopify.sessionToken.get();
  } catch (cause) {
    throw new WishlistError({ code: "invalid_session_token", message: "Shopify gave no session token.", cause });
  }
}

// Shopify's CLI replaces the variable by its value. Without one, this import remains and fails the build, instead of every customer's page.
if (!process.env.SHOPIFY_APP_URL) void import("SHOPIFY_APP_URL is not set");

/** The service, for the customer whom Shopify's session token names. */
export const service: Client = createClient({
  url: process.env.SHOPIFY_APP_URL,
  // A message is better than a page that seems to do nothing.
  maxDelay: 3_000,
  async credentials() {
    const { token, expiresIn, shop, features, moneyFormat } = await service.tokens.exchangeSessionToken({
      session_token: await sessionToken(),
    });
    offer = { shop, features, moneyFormat };
    return { token, expiresIn };
  },
});

export interface Account extends Offer {
  lists: List[];
  /** saved variants, each once, however many lists have it */
  savedCount: number;
}

/** Reads the customer's lists, and what the shop offers. @throws WishlistError */
export async function readAccount(): Promise<Account> {
  // One page holds as many lists as a customer can have.
  const { lists, savedCount } = await service.lists.list();
  return { ...offer, lists, savedCount };
}

/** What a message needs of a failed request. */
export type Failure = Pick<WishlistError, "code" | "retryAfter">;

/** Returns the error of a failed request; other errors are mistakes of this code. */
export function failureOf(error: unknown): WishlistError {
  if (isWishlistError(error)) return error;
  throw error;
}
