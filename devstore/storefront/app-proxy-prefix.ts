import type { Store } from "../store/store.ts";

/** Where shoppers find the app. */
export function proxyPrefix({ options: { appProxy } }: Pick<Store, "options">): string {
  return `/${appProxy.prefix}/${appProxy.subpath}`;
}
