/** A field of a trigger's payload, in the order in which Flow shows them. */
export interface FlowField {
  type:
    | "customer_reference"
    | "product_reference"
    | "order_reference"
    | "single_line_text_field"
    | "number_decimal"
    | "url";
  /** a reference, which Flow names itself, has none */
  described?: { key: string; description: string };
  /** path of its value in the event's data; of a list, of the values of its elements */
  path: string;
  /** whether Flow accepts a payload without it */
  isOptional?: true;
}

/** A trigger of Shopify Flow. `npm run api:write` writes its extension (extensions/flow-*). */
export interface FlowTrigger {
  /** `wishlist-<name>`; the extension's folder is `flow-<name>` */
  handle: `wishlist-${string}`;
  /** as merchants see it in Flow */
  name: string;
  description: string;
  /** identifies the extension at Shopify: random, and never changed */
  uid: string;
  fields: readonly FlowField[];
}

export const CUSTOMER: FlowField = { type: "customer_reference", path: "customerId" };
export const PRODUCT: FlowField = { type: "product_reference", path: "productId" };
export const ORDER: FlowField = { type: "order_reference", path: "orderId" };

/** Declares a field with a key: letters and spaces, as Shopify's CLI demands. */
export function field(
  type: "single_line_text_field" | "number_decimal" | "url",
  key: string,
  description: string,
  path: string,
): FlowField {
  return { type, described: { key, description }, path };
}

/**
 * Declares a text that a payload may lack. A field that is added to a trigger is optional: the app's version at Shopify and the service are updated one
 * after the other.
 */
export function optional(key: string, description: string, path: string): FlowField {
  return { ...field("single_line_text_field", key, description, path), isOptional: true };
}

export const LIST = field("single_line_text_field", "List ID", "default, or the id of a named list", "listId");

/** The fields of a saved item. */
export const ITEM: readonly FlowField[] = [
  CUSTOMER,
  PRODUCT,
  field("single_line_text_field", "Variant ID", "Shopify's id of the saved variant", "variantId"),
  LIST,
];
