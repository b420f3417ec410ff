/** What the home page shows: its loader's answer. */
export interface HomeData {
  /** the app's client id */
  apiKey: string;
  /** the shop's */
  domain: string;
  setup: {
    dismissed: boolean;
    sync: { seen: number; total: number | undefined; failedReason: string | undefined } | undefined;
  };
  /** that are active */
  keys: readonly { keyId: string; name: string; expiresAt: Date | null; successorKeyId: string | null }[];
  webhooks: readonly {
    webhookId: string;
    url: string;
    disabledReason: "paused" | "gone" | "failing" | null;
    failingSince: string | null;
  }[];
  /** the last 30, oldest first, today last */
  days: readonly {
    date: string;
    itemsAdded: number;
    itemsRemoved: number;
    uniqueShoppers: number;
    addToCartFromWishlist: number;
  }[];
  /** when this was read */
  at: Date;
}
