/** The headers of every request to a receiver. */
export const FIXED_HEADERS = {
  "content-type": "application/json",
  "user-agent": "Wishlist-Headless (webhooks)",
  "accept-encoding": "identity",
};

/** The values that an attempt signs with the body. */
export interface Identity {
  messageId: string;
  /** seconds */
  timestamp: number;
}

export function identityOf(messageId: string, at: Date): Identity {
  return { messageId, timestamp: Math.floor(at.getTime() / 1_000) };
}

export function identityHeaders({ messageId, timestamp }: Identity): Record<string, string> {
  return { "webhook-id": messageId, "webhook-timestamp": String(timestamp) };
}
