import { text, type Fields } from "../shared/checked.ts";
import type { Result } from "../shared/proxy.ts";
import type { Target } from "../shared/saved-list.ts";
import { change, itemsOf, lookUp, needsService, send, wishlist } from "./wishlist.ts";

/** A product, or one variant of it: by `productId` or `handle`. */
interface Product {
  productId?: string | number;
  handle?: string;
  variantId?: string | number;
}

interface Arrangement {
  limit?: number;
  offset?: number;
  sort?: string;
  available?: boolean;
}

/** Look-ups by product and customer: a page looks each product up once. */
const lookUps = new Map<string, Promise<Result>>();

function targetOf({ productId, handle = "", variantId }: Product): Target {
  return { id: text(productId), handle, variant: text(variantId) };
}

/** Returns the data of a success. @throws an error with the service's `code`, the HTTP `status` and the seconds of `retryAfter` */
function dataOf({ data, status, error, wait }: Result): Fields {
  if (data) {
    const { owner: _, ...shown } = data;
    return shown;
  }
  const { code = "unreachable", message } = error;
  throw Object.assign(new Error(text(message) || "No response."), {
    code,
    status,
    retryAfter: Number(wait),
  });
}

/** The public API for themes: docs/theme-api.md. */
export const api = {
  get count(): number {
    return wishlist().count;
  },
  async list(arrangement?: Arrangement): Promise<Fields> {
    if (!needsService() && !wishlist().guest) return { items: [], itemCount: 0, matchCount: 0 };
    return dataOf(await send("list", { ...arrangement }, (_, { itemCount }) => Number(itemCount)));
  },
  async has(product: Product): Promise<boolean> {
    const target = targetOf(product);
    const key = [wishlist().cid, target.id, target.handle].join();
    if (needsService()) {
      const result = lookUps.get(key) ?? lookUp([target]);
      lookUps.set(key, result);
      const { data } = await result;
      if (!data) lookUps.delete(key);
      dataOf(await result);
    }
    return itemsOf(target) > 0;
  },
  add: async (product: Product): Promise<Fields> => dataOf(await change("add", targetOf(product))),
  remove: async (product: Product): Promise<Fields> => dataOf(await change("remove", targetOf(product))),
  /** Calls back when the list has changed, also in another tab. @returns a function that ends the calls */
  on(name: string, callback: (state: { count: number }) => void): () => void {
    const now = (): string => JSON.stringify([wishlist().count, wishlist().saved]);
    let before = now();
    const ending = new AbortController();
    const listener = (): void => {
      if (before === (before = now())) return;
      callback({ count: wishlist().count });
    };
    document.addEventListener(`wishlist:${name}`, listener, ending);
    addEventListener("storage", listener, ending);
    addEventListener("pageshow", listener, ending);
    return () => ending.abort();
  },
};
