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

/** The ids of the rows whose deliveries go to a channel. They are no webhooks of the merchant's: the API and its limit leave them out. */
const CHANNELS = ["flow", "email"] as const;

export type ChannelId = (typeof CHANNELS)[number];

/** Tells whether the row of an endpoint is that of a channel. */
export function isChannel(endpointId: string): endpointId is ChannelId {
  return CHANNELS.some((id) => id === endpointId);
}

export const FLOW_ENDPOINT = "flow";

/** A channel's endpoint, for functions that the admin's pages about it use. No text of a request can stand for it. */
export interface ChannelReference {
  readonly endpointId: ChannelId;
}

export const FLOW: ChannelReference = { endpointId: FLOW_ENDPOINT };
export const EMAIL: ChannelReference = { endpointId: "email" };

/** An endpoint that a request names: the id of a webhook as it was received, or a channel. */
export type EndpointReference = string | ChannelReference;
