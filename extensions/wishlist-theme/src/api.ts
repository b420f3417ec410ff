import { text, type Fields } from "./checked.ts";
import { change, itemsOf, lookUp, send, wishlist, isToBeAsked, type Target } from "./wishlist.ts";
import type { Answer } from "./proxy.ts";

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

/** Answers about products, by product and shopper: each is asked about once on a page. */
const answers = new Map<string, Promise<Answer>>();

function targetOf({ productId, handle = "", variantId }: Product): Target {
  return { id: text(productId), handle, variant: text(variantId) };
}

/** The data of a success; a refusal becomes an error with the service's `code`, the HTTP `status` and the seconds of `retryAfter`. */
function dataOf({ data, status, error, wait }: Answer): Fields {
  if (data) {
    const { owner: _, ...shown } = data;
    return shown;
  }
  const { code = "unreachable", message } = error;
  throw Object.assign(new Error(text(message) || "No answer."), {
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
  async list(arrangement?: Arrangement): Promise<Fields> {
    if (!isToBeAsked() && !wishlist().guest) return { items: [], itemCount: 0, matchCount: 0 };
    return dataOf(await send("list", { ...arrangement }, (_, { itemCount }) => Number(itemCount)));
  },
  async has(product: Product): Promise<boolean> {
    const target = targetOf(product);
    const key = [wishlist().cid, target.id, target.handle].join();
    if (isToBeAsked()) {
      const answer = answers.get(key) ?? lookUp([target]);
      answers.set(key, answer);
      const { data } = await answer;
      if (!data) answers.delete(key);
      dataOf(await answer);
    }
    return itemsOf(target) > 0;
  },
  add: async (product: Product): Promise<Fields> => dataOf(await change("add", targetOf(product))),
  remove: async (product: Product): Promise<Fields> => dataOf(await change("remove", targetOf(product))),
  /** Calls back when the list differs from before, also in another tab. @returns a function that ends the calls */
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
