import { gid, parseGid } from "../foundation/gid.ts";
import type { DraftOrder, DraftOrderLine } from "../store/draft-orders.ts";
import type { Store } from "../store/store.ts";
import { requireScope, type Caller } from "./problems.ts";

interface LineInput {
  variantId?: string | null;
  quantity: number;
  customAttributes?: readonly { key: string; value: string }[] | null;
}

interface Input {
  lineItems?: readonly LineInput[] | null;
  purchasingEntity?: { customerId?: string | null } | null;
}

const MOST_LINES = 499;

/** A user error of the mutation. */
class Refusal extends Error {
  readonly field: string[] | null;
  constructor(field: string[] | null, message: string) {
    super(message);
    this.field = field;
  }
}

function showDraftOrder({ id, name, createdAt, lines }: DraftOrder) {
  return {
    __typename: "DraftOrder",
    id: gid("DraftOrder", id),
    legacyResourceId: id,
    name,
    status: "OPEN",
    createdAt: createdAt.toISOString(),
    totalQuantityOfLineItems: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

/** Returns a line. As in Shopify, a variant that is sold out can be drafted. @throws Refusal */
function lineOf({ catalog }: Store, { variantId, quantity, customAttributes }: LineInput, at: number): DraftOrderLine {
  const field = ["input", "lineItems", String(at)];
  if (!variantId) throw new Refusal([...field, "title"], "Title can't be blank");
  if (quantity < 1) throw new Refusal([...field, "quantity"], "Quantity must be greater than or equal to 1");
  const read = parseGid(variantId);
  const found = read?.type === "ProductVariant" ? catalog.variant(read.id) : undefined;
  if (found === undefined) throw new Refusal(null, `Product with ID ${read?.id ?? variantId} is no longer available.`);
  const { product, variant } = found;
  return {
    variantId: variant.id,
    productId: product.id,
    title: product.title,
    variantTitle: variant.title,
    quantity,
    priceCents: variant.priceCents,
    customAttributes: customAttributes ?? [],
  };
}

function create(store: Store, { lineItems, purchasingEntity }: Input): DraftOrder {
  const given = lineItems ?? [];
  if (given.length === 0) throw new Refusal(["input", "lineItems"], "Add at least 1 product");
  if (given.length > MOST_LINES) throw new Refusal(["input", "lineItems"], `Line items maximum is ${MOST_LINES}`);
  const customer = purchasingEntity?.customerId ?? undefined;
  const read = customer === undefined ? undefined : parseGid(customer);
  const isKnown = read?.type === "Customer" && store.customers.byId(read.id) !== undefined;
  if (customer !== undefined && !isKnown)
    throw new Refusal(["input", "purchasingEntity", "customerId"], "Customer does not exist");
  return store.draftOrders.add({ customerId: read?.id, lines: given.map((line, at) => lineOf(store, line, at)) });
}

export function draftOrderFields(store: Store, caller: Caller) {
  return {
    draftOrder({ id }: { id: string }) {
      requireScope(caller, "read_draft_orders", "draftOrder");
      const read = parseGid(id);
      const draft = read?.type === "DraftOrder" ? store.draftOrders.byId(read.id) : undefined;
      return draft === undefined ? null : showDraftOrder(draft);
    },
    draftOrderCreate({ input }: { input: Input }) {
      requireScope(caller, "write_draft_orders", "draftOrderCreate");
      try {
        return { draftOrder: showDraftOrder(create(store, input)), userErrors: [] };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { draftOrder: null, userErrors: [{ field: error.field, message: error.message }] };
      }
    },
  };
}
