import { text, type Fields } from "./checked.ts";
import { change, itemsOf, lookUp, send, wishlist, isToBeAsked, type Target } from "./wishlist.ts";
import type { Answer } from "./proxy.ts";

/** A product, or one variant of it: by `productId` or `handle`. */
interface Product {
  productId?: string | number;
  handle?: string;
  variantId?: string | number;
}

function targetOf({ productId, handle = "", variantId }: Product): Target {
  return { id: text(productId), handle, variant: text(variantId) };
}

/** The data of a success; a refusal becomes an error with the service's `code`, the HTTP `status` and the seconds of `retryAfter`. */
function dataOf({ data, status, error, wait }: Answer): Fields {
  if (data) return data;
  const { code = "unreachable", message } = error;
  throw Object.assign(new Error(text(message) || "The wishlist did not answer."), {
    code,
    status,
    retryAfter: Number(wait),
  });
}

/** What themes build with: docs/theme-api.md. */
export const api = {
  get count(): number {
    return wishlist().count;
  },
  async list({ limit = 50, offset = 0 } = {}): Promise<Fields> {
    if (!isToBeAsked() && !wishlist().guest) return { items: [], itemCount: 0 };
    return dataOf(await send("list", { limit, offset }, (_, { itemCount }) => Number(itemCount)));
  },
  async has(product: Product): Promise<boolean> {
    const target = targetOf(product);
    if (isToBeAsked()) await lookUp([target]);
    return itemsOf(target) > 0;
  },
  add: async (product: Product): Promise<Fields> => dataOf(await change("add", targetOf(product))),
  remove: async (product: Product): Promise<Fields> => dataOf(await change("remove", targetOf(product))),
  /** @returns a function that ends the calls */
  on(name: string, callback: (state: { count: number }) => void): () => void {
    const listener = (): void => callback({ count: wishlist().count });
    document.addEventListener(`wishlist:${name}`, listener);
    return () => document.removeEventListener(`wishlist:${name}`, listener);
  },
};
