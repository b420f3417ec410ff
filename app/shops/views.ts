/** A shop's progress with the setup guide. */
export interface SetupState {
  /** the merchant dismissed the guide */
  dismissed: boolean;
  /** the merchant said that the store's menu leads to the wishlist page */
  menuLinked: boolean;
  /** path of the wishlist page in the store */
  storePath: string;
  /** the product sync in progress; undefined when it is complete or impossible */
  sync: { seen: number; total: number | undefined; failedReason: string | undefined } | undefined;
  /** why the product sync has failed for hours */
  syncProblem: string | undefined;
}
