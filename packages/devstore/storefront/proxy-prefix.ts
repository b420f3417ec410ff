import type { Store } from "../store/store.ts";

/** Returns the path under which shoppers reach the app. */
export function proxyPrefix({ options: { appProxy } }: Pick<Store, "options">): string {
  return `/${appProxy.prefix}/${appProxy.subpath}`;
}
