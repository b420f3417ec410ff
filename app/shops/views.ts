/** A shop's progress with the setup guide. */
export interface SetupState {
  /** the merchant dismissed the guide */
  dismissed: boolean;
  /** the product sync in progress; undefined when it is complete or impossible */
  sync: { seen: number; total: number | undefined; failedReason: string | undefined } | undefined;
  /** why the product sync has failed for hours */
  syncProblem: string | undefined;
}
