import { importPart } from "./setup.ts";
import type calls from "./parts/api.ts";
import { wishlist } from "./wishlist.ts";

type Calls = typeof calls;

/** Called after every change of the list, and after every response. */
export const followers = new Set<() => void>();

/** The calls that send requests are a part of the script: few themes need them. */
async function load(): Promise<Calls> {
  const part = await importPart("api");
  if (part) return part;
  throw Object.assign(new Error("No response."), { code: "unreachable", retryAfter: 0 });
}

/** The public API for themes: docs/theme-api.md. */
export const api = {
  get count(): number {
    return wishlist().count;
  },
  list: async (...given: Parameters<Calls["list"]>) => (await load()).list(...given),
  has: async (...given: Parameters<Calls["has"]>) => (await load()).has(...given),
  add: async (...given: Parameters<Calls["add"]>) => (await load()).add(...given),
  remove: async (...given: Parameters<Calls["remove"]>) => (await load()).remove(...given),
  /** Calls back when the list has changed, also in another tab. @returns a function that ends the calls */
  on(_name: "change", callback: (state: { count: number }) => void): () => void {
    const now = (): string => JSON.stringify([wishlist().count, wishlist().saved]);
    let before = now();
    const follower = (): void => {
      if (before !== (before = now())) callback({ count: wishlist().count });
    };
    followers.add(follower);
    return () => void followers.delete(follower);
  },
};
