import { now } from "../../../app/platform/clock.server.ts";

export interface DraftOrderLine {
  variantId: string;
  productId: string;
  title: string;
  variantTitle: string;
  quantity: number;
  /** of one unit */
  priceCents: number;
  customAttributes: readonly { key: string; value: string }[];
}

export interface DraftOrder {
  /** numeric */
  id: string;
  /** as #D1 */
  name: string;
  createdAt: Date;
  customerId: string | undefined;
  lines: readonly DraftOrderLine[];
}

export interface DraftOrders {
  /** oldest first */
  all: () => readonly DraftOrder[];
  byId: (id: string) => DraftOrder | undefined;
  add: (draft: Pick<DraftOrder, "customerId" | "lines">) => DraftOrder;
}

const FIRST_ID = 1_180_000_000_000;

export function createDraftOrders(): DraftOrders {
  const all: DraftOrder[] = [];
  return {
    all: () => all,
    byId: (id) => all.find((draft) => draft.id === id),
    add(draft) {
      const number = all.length + 1;
      const added = { ...draft, id: String(FIRST_ID + number), name: `#D${number}`, createdAt: now() };
      all.push(added);
      return added;
    },
  };
}
