export interface EndpointKey {
  shopId: number;
  endpointId: string;
}

/** Returns the text that identifies an endpoint in maps and notifications. */
export function endpointName({ shopId, endpointId }: EndpointKey): string {
  return `${shopId}:${endpointId}`;
}
