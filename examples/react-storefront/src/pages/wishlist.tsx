import { useLists, useWishlist, type WishlistOptions } from "@wishlist-headless/react";
import type { Item } from "@wishlist-headless/sdk";
import { useRef, type ReactElement } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { Empty } from "../components/empty.tsx";
import { ListMenu } from "../components/list-menu.tsx";
import { ListTabs } from "../components/list-tabs.tsx";
import { SkeletonRows } from "../components/skeleton.tsx";
import { WishlistRow } from "../components/wishlist-row.tsx";
import { nameOf } from "../list-name.ts";
import { notify } from "../notices.ts";
import { usePageTitle } from "../page-title.ts";
import { logIn, useOwner } from "../session.ts";

const SORTS: Record<string, WishlistOptions & { label: string }> = {
  recent: { label: "Recently added", sort: "added_at" },
  cheap: { label: "Price, low to high", sort: "price" },
  dear: { label: "Price, high to low", sort: "price", direction: "desc" },
  title: { label: "Name", sort: "title" },
};
const { recent } = SORTS;

/** Shows one list of the shopper. Its id and order are in the address. */
export function WishlistPage(): ReactElement {
  const { listId = "default" } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const owner = useOwner();
  const { lists, status } = useLists();
  const sortName = parameters.get("sort") ?? "recent";
  const { label: _, ...order } = SORTS[sortName] ?? { ...recent, label: "" };
  const page = useWishlist({ listId, limit: 20, expand: "product", ...order });
  const { items, total, hasMore, loadMore } = page;
  const list = lists.find((one) => one.listId === listId);
  const title = list ? nameOf(list) : "Wishlist";
  usePageTitle(title);

  async function remove(item: Item): Promise<void> {
    const { productId, variantId, quantity, note, properties, product } = item;
    // The button that had the focus goes with its row.
    heading.current?.focus();
    if (!(await page.remove(item))) return;
    notify(`${product?.title ?? "The product"} was removed.`, {
      label: "Undo",
      run: () => page.add({ productId, variantId, quantity, note, properties }),
    });
  }

  if (!list && status === "ready") {
    return (
      <Empty title="This list doesn't exist" action={<Link to="/wishlist">See your wishlist</Link>}>
        It was deleted, or belongs to somebody else.
      </Empty>
    );
  }
  return (
    <div className="wishlist">
      <ListTabs listId={listId} />
      <div className="list-header">
        <h1 ref={heading} tabIndex={-1}>
          {title} <span className="muted">{list ? list.itemCount : ""}</span>
        </h1>
        {list && <ListMenu list={list} />}
      </div>
      {owner === "guest" && (
        <p className="hint">
          Your wishlist is on this device only.{" "}
          <button className="link" onClick={() => void logIn()}>
            Log in
          </button>{" "}
          to have it on all your devices, and to share it.
        </p>
      )}
      {page.status === "loading" ? (
        <SkeletonRows />
      ) : page.status === "failed" ? (
        <Empty heading="h2" title="This list can't be shown" action={<button onClick={page.reload}>Try again</button>}>
          The wishlist service can't be reached. What you have saved is not lost.
        </Empty>
      ) : items.length === 0 ? (
        <Empty heading="h2" title="Nothing saved yet" action={<Link to="/">See all products</Link>}>
          Press the heart of a product to save it here.
        </Empty>
      ) : (
        <>
          <label className="sort">
            Sort by
            <select
              value={sortName}
              onChange={(event) => setParameters({ sort: event.target.value }, { replace: true })}
            >
              {Object.entries(SORTS).map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <ul className="rows">
            {items.map((item) => (
              <WishlistRow
                key={`${item.productId} ${item.variantId}`}
                item={item}
                otherLists={lists.filter((one) => one.listId !== listId)}
                onRemove={() => void remove(item)}
                update={(details) => page.update(item, details)}
                move={(to) => page.move(item, to)}
              />
            ))}
          </ul>
          {hasMore && (
            <button className="more" onClick={() => void loadMore()}>
              Show more ({items.length} of {total})
            </button>
          )}
        </>
      )}
    </div>
  );
}
