import type { TokenExchange } from "./client.ts";
import { isOfKind } from "./fields.ts";

export interface ServerCredentialsOptions {
  /** `wlk_…`; may be what an environment variable holds, which can be unset */
  apiKey: string | undefined;
  /** `wls_…`; the same */
  apiSecret: string | undefined;
  /** binds the token to one customer, so that `me` is that customer */
  customerId?: string | undefined;
  /** narrows the token to these scopes, separated by spaces */
  scope?: string | undefined;
}

const VERSION = "1.0.0";
const UNSET = "Is the environment variable set from which it comes?";

/** Workers have no `process`. The type of `URL` is here because TypeScript refuses one that has nothing in common with the global object. */
const { process }: { process?: { versions?: { node?: string } }; URL?: unknown } = globalThis;
const NODE = process?.versions?.node;
const HEADERS = { "user-agent": `wishlist-headless-sdk/${VERSION}${NODE === undefined ? "" : ` node/${NODE}`}` };

/**
 * Returns the credentials with which `createClient` exchanges an API key and its secret for tokens.
 * @throws Error in a browser, where everybody could read the secret
 * @throws TypeError without a key and its secret
 */
export function serverCredentials(options: ServerCredentialsOptions): TokenExchange {
  if ("window" in globalThis) {
    throw new Error(
      "An API secret must not be in a browser: everybody could read it. Use createStorefrontClient with a publishable key, or get a customer's token from your server.",
    );
  }
  // A copy, because options that are missing altogether get the same message.
  const { apiKey, apiSecret, customerId, scope } = { ...options };
  if (!isOfKind(apiKey, "wlk_")) throw new TypeError(`\`apiKey\` must be the id of an API key (wlk_…). ${UNSET}`);
  if (!isOfKind(apiSecret, "wls_"))
    throw new TypeError(`\`apiSecret\` must be the secret of the API key (wls_…). ${UNSET}`);
  return {
    method: "tokens.exchangeApiKey",
    headers: HEADERS,
    input: { api_key: apiKey, api_secret: apiSecret, customer_id: customerId, scope },
  };
}
