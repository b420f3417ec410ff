import { createStorefrontClient, type Item, type StorefrontClient, type WishlistError } from "@wishlist-headless/sdk";
import { createElement, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, expectTypeOf, test } from "vitest";
import {
  useIsSaved,
  useLists,
  useWishlist,
  WishlistButton,
  WishlistProvider,
  type Wishlist,
} from "../../../packages/react/src/index.ts";

function Page(): ReactElement {
  const { items, status } = useWishlist();
  const { lists } = useLists();
  return createElement(
    "p",
    {},
    createElement(WishlistButton, { productId: "1", label: "Save Lamp" }),
    `${status} ${items.length} ${lists.length}`,
  );
}

/** A client whose use of network or storage fails the test. */
function untouched(): StorefrontClient {
  const refuse = (): never => {
    throw new Error("The server must not do this.");
  };
  return createStorefrontClient({
    url: "http://127.0.0.1:9",
    publishableKey: "wlp_x",
    fetch: refuse,
    storage: { getItem: refuse, setItem: refuse, removeItem: refuse },
  });
}

test("a server renders hearts and lists as loading, without requests or storage", () => {
  const html = renderToString(createElement(WishlistProvider, { client: untouched() }, createElement(Page)));
  expect(html).toBe('<p><button type="button" aria-label="Save Lamp" aria-pressed="false"></button>loading 0 1</p>');
});

test("a provider creates the client from an address and a publishable key", () => {
  const given = { url: "http://127.0.0.1:9", publishableKey: "wlp_x" };
  const html = renderToString(createElement(WishlistProvider, given, createElement(Page)));
  expect(html).toContain("loading 0 1");
});

test("components without a provider fail with a message that names it", () => {
  expect(() => renderToString(createElement(WishlistButton, { productId: "1", label: "Save" }))).toThrow(
    "No <WishlistProvider>.",
  );
});

test("hooks have the types of the SDK", () => {
  expectTypeOf(useIsSaved).parameters.toEqualTypeOf<[productId: string, variantId?: string | undefined]>();
  expectTypeOf<Wishlist["items"]>().toEqualTypeOf<readonly Item[]>();
  expectTypeOf<Wishlist["error"]>().toEqualTypeOf<WishlistError | undefined>();
});
