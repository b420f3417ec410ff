export interface EndpointKey {
  shopId: number;
  endpointId: string;
}

/** Returns the text that identifies an endpoint in maps and notifications. */
export function endpointName({ shopId, endpointId }: EndpointKey): string {
  return `${shopId}:${endpointId}`;
}

/** Returns the endpoint of a name, or undefined for another text. */
export function endpointOf(name: string): EndpointKey | undefined {
  const [, shopId, endpointId] = /^(\d+):(.+)$/.exec(name) ?? [];
  return shopId === undefined || endpointId === undefined ? undefined : { shopId: Number(shopId), endpointId };
}

/** The id of the row whose deliveries go to Shopify Flow. It is no webhook of the merchant's: the API and its limit leave it out. */
export const FLOW_ENDPOINT = "flow";

/** Shopify Flow's endpoint, for functions that the admin's pages about it use. No text of a request can stand for it. */
export const FLOW = { endpointId: FLOW_ENDPOINT } as const;

/** An endpoint that a request names: the id of a webhook as it was received, or Shopify Flow. */
export type EndpointReference = string | typeof FLOW;
