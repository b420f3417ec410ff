import type { Item } from "@wishlist-headless/sdk";
import type { ReactElement } from "react";
import { Link, useLoaderData, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { Empty } from "../components/empty.tsx";
import { Heart } from "../components/heart.tsx";
import { ItemProductLink } from "../components/item-product-link.tsx";
import { usePageTitle } from "../page-title.ts";
import { cartUrl } from "../storefront-api.ts";
import { client } from "../client.ts";

const STEP = 50;

interface SharedList {
  name: string | undefined;
  items: Item[];
  hasMore: boolean;
}

/** Reads as many items as the address says. Nobody has to be logged in. */
export async function sharedListLoader({ params, request }: LoaderFunctionArgs): Promise<SharedList> {
  const count = countOf(new URL(request.url).searchParams);
  const shared: SharedList = { name: undefined, items: [], hasMore: true };
  const pages = client.wishlists
    .getShared({ shareToken: params["token"] ?? "", expand: "product", limit: STEP }, { signal: request.signal })
    .pages();
  for await (const { name, items, has_more: hasMore } of pages) {
    shared.name = name;
    shared.items.push(...items);
    shared.hasMore = hasMore;
    if (shared.items.length >= count) break;
  }
  return shared;
}

function countOf(parameters: URLSearchParams): number {
  return Math.min(Math.max(Number(parameters.get("count")) || STEP, 1), 1000);
}

export function SharedListPage(): ReactElement {
  const { name = "A shared wishlist", items, hasMore } = useLoaderData<typeof sharedListLoader>();
  const [parameters] = useSearchParams();
  usePageTitle(name);
  if (items.length === 0) {
    return (
      <Empty title={name} action={<Link to="/">See all products</Link>}>
        Nothing is saved in this list at the moment.
      </Empty>
    );
  }
  return (
    <div className="wishlist">
      <h1>{name}</h1>
      <p className="hint">Somebody shared this list with you. Press a heart to save a product in your own wishlist.</p>
      <ul className="rows">
        {items.map((item) => (
          <SharedRow key={`${item.productId} ${item.variantId}`} item={item} />
        ))}
      </ul>
      {hasMore && (
        <Link className="button more" to={`?count=${countOf(parameters) + STEP}`} replace preventScrollReset>
          Show more
        </Link>
      )}
    </div>
  );
}

function SharedRow({ item }: { item: Item }): ReactElement {
  const { product, productId, variantId } = item;
  const title = product?.title ?? "this product";
  return (
    <li className="row">
      <ItemProductLink item={item} />
      <div className="actions">
        {product?.available && (
          <a className="button" href={cartUrl([item])} aria-label={`Add to cart: ${title}`}>
            Add to cart
          </a>
        )}
        <Heart productId={productId} variantId={variantId} title={title} />
      </div>
    </li>
  );
}
