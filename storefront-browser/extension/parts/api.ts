// The requests of the public API for themes (docs/theme-api.md): a module that its first call imports.
import { text, type Fields } from "../../shared/checked.ts";
import type { Result } from "../../shared/proxy.ts";
import { variantsOf, type Target } from "../../shared/saved-list.ts";

const { change, lookUp, needsService, send, wishlist } = wishlistCore;

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

/** Returns the data of a success. @throws an error with the service's `code`, the service's `status` and the seconds of `retryAfter` */
function dataOf({ data, status, error }: Result): Fields {
  if (data) {
    const { owner: _, ...shown } = data;
    return shown;
  }
  const { code = "unreachable", message, retryAfter } = error;
  throw Object.assign(new Error(text(message) || "No response."), {
    code,
    status,
    retryAfter: Number(text(retryAfter)),
  });
}

const calls = {
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
    return variantsOf(target, wishlist().saved).length > 0;
  },
  add: async (product: Product): Promise<Fields> => dataOf(await change("add", targetOf(product))),
  remove: async (product: Product): Promise<Fields> => dataOf(await change("remove", targetOf(product))),
};

export default calls;
