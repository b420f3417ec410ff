/** Ranges of a shop's numeric settings. */
export const LIMITS = {
  /** days */
  shareLinkDays: { min: 1, max: 365 },
  /** items in a list */
  itemCap: { min: 1, max: 2_500 },
  /** days */
  guestRetentionDays: { min: 1, max: 365 },
} as const;
