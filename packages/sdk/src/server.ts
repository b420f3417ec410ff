import type { TokenExchange } from "./client.ts";

export interface ServerCredentialsOptions {
  /** `wlk_…` */
  apiKey: string;
  /** `wls_…` */
  apiSecret: string;
  /** binds the token to one customer, so that `me` is that customer */
  customerId?: string | undefined;
  /** narrows the token to these scopes, separated by spaces */
  scope?: string | undefined;
}

/**
 * Returns the credentials with which `createClient` exchanges an API key and its secret for tokens.
 * @throws Error in a browser, where everybody could read the secret
 */
export function serverCredentials({ apiKey, apiSecret, customerId, scope }: ServerCredentialsOptions): TokenExchange {
  if ("window" in globalThis) {
    throw new Error(
      "An API secret must not be in a browser: everybody could read it. Use createStorefrontClient with a publishable key, or get a customer's token from your server.",
    );
  }
  return {
    operation: "exchangeToken",
    input: { api_key: apiKey, api_secret: apiSecret, customer_id: customerId, scope },
  };
}
