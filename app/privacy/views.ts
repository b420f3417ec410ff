/** A privacy request, as the merchant sees it. */
export interface PrivacyRequestView {
  id: string;
  /** null after the customer's erasure */
  customerId: string | null;
  /** Shopify's id of a data request */
  shopifyRequestId: string | null;
  kind: "data_request" | "redact";
  status: "pending" | "completed";
  requestedAt: Date;
  dueAt: Date;
  completedAt: Date | null;
  /** whether the record can be downloaded */
  hasRecord: boolean;
  /** when staff downloaded the record last, and when they said that they have sent it to the customer */
  downloadedAt: Date | null;
  sentAt: Date | null;
}
