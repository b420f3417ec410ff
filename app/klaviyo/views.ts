/** An account that a shop has connected, without its key. */
export interface KlaviyoConnection {
  accountId: string;
  accountName: string;
  connectedAt: string;
  /** why Klaviyo refuses the key; null while it works */
  refusal: string | null;
}
