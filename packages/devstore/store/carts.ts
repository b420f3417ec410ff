import { randomBase62 } from "../../../app/platform/ids.server.ts";

export interface CartLine {
  key: string;
  variantId: string;
  quantity: number;
  properties: Readonly<Record<string, string>>;
  /** fields of the Ajax cart that a test gives a line: of a bundle, a subscription, or a line that can't be removed (`instructions`) */
  more?: { instructions?: { can_remove: boolean; can_update_quantity: boolean } } & Readonly<Record<string, unknown>>;
}

export interface Cart {
  token: string;
  lines: CartLine[];
  note: string;
  attributes: Record<string, string>;
}

export interface Carts {
  /** Returns the cart with the cookie's token, or a new cart. */
  open: (token: string | undefined) => Cart;
  add: (cart: Cart, variantId: string, quantity: number, properties: Readonly<Record<string, string>>) => CartLine;
  /** Sets a line's quantity; 0 removes the line. */
  setQuantity: (cart: Cart, line: CartLine, quantity: number) => void;
  /** Finds a line by its key, its variant's id, or its place counted from 1. */
  find: (cart: Cart, by: { id?: string | undefined; line?: number | undefined }) => CartLine | undefined;
  clear: (cart: Cart) => void;
}

const sameProperties = (left: CartLine["properties"], right: CartLine["properties"]) =>
  JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort());

export function createCarts(): Carts {
  const carts = new Map<string, Cart>();
  return {
    open(token) {
      const known = token === undefined ? undefined : carts.get(token);
      if (known !== undefined) return known;
      const cart: Cart = { token: `${randomBase62(26)}?key=${randomBase62(32)}`, lines: [], note: "", attributes: {} };
      carts.set(cart.token, cart);
      return cart;
    },
    add(cart, variantId, quantity, properties) {
      const same = cart.lines.find(
        (line) => line.variantId === variantId && sameProperties(line.properties, properties),
      );
      if (same !== undefined) {
        same.quantity += quantity;
        return same;
      }
      const line = { key: `${variantId}:${randomBase62(16)}`, variantId, quantity, properties };
      // Shopify's carts list the newest line first.
      cart.lines.unshift(line);
      return line;
    },
    setQuantity(cart, line, quantity) {
      line.quantity = quantity;
      if (quantity <= 0) cart.lines = cart.lines.filter((other) => other !== line);
    },
    find(cart, { id, line }) {
      if (line !== undefined) return cart.lines[line - 1];
      return cart.lines.find(({ key, variantId }) => key === id || variantId === id);
    },
    clear(cart) {
      cart.lines = [];
    },
  };
}
