/** A shop's settings as the page shows them. */
export interface SettingsData {
  shareLinkDays: number;
  itemCap: number;
  guestLists: boolean;
  guestRetentionDays: number;
  timeZone: string;
  /** one more with each time that they were saved, by whomever */
  version: number;
}
