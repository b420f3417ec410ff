/** An order of a customer, as far as it has saved items. */
export interface CustomerOrder {
  orderId: string;
  orderedAt: Date;
  /** units of saved items, without refunded ones */
  units: number;
  /** paid for them, less refunds, such as "79.90" */
  revenue: string;
  /** null for an order whose currency is unknown */
  currency: string | null;
  /** titles of the saved items; an id where the catalog cache has no title */
  products: string[];
}

export interface CustomerOrders {
  /** newest first */
  orders: CustomerOrder[];
  /** whether there are older ones */
  more: boolean;
}
