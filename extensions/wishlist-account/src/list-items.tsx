import { useEffect, useState } from "preact/hooks";
import type { Item, List } from "@wishlist-headless/sdk";
import { cartPermalink, isBuyable } from "./cart.ts";
import { FailureBanner } from "./failure-banner.tsx";
import { ItemRow } from "./item-row.tsx";
import { nameOf } from "./messages.ts";
import { MoveItem } from "./move-item.tsx";
import { failureOf, service, type Failure } from "./service.ts";
import { t } from "./texts.ts";

const PAGE_SIZE = 25;
const MOVE = "move-item";

/** An item of the list; a removed one stays in its place until the list is read again, so that it can be taken back. */
interface Entry {
  item: Item;
  removed: boolean;
  busy: boolean;
}

/** The entries read so far. Undefined entries have not been read. */
interface Items {
  entries: Entry[];
  hasMore: boolean;
}

const keyOf = ({ productId, variantId }: Item): string => `${productId} ${variantId}`;

interface Props {
  list: List;
  lists: readonly List[];
  shop: string;
  moneyFormat: string | null;
  onCountChange: (listId: string, change: number) => void;
  /** called when the list no longer exists */
  onListGone: () => void;
}

/** Shows the items of a list, page by page. */
export function ListItems({ list, lists, shop, moneyFormat, onCountChange, onListGone }: Props) {
  const { listId } = list;
  const [items, setItems] = useState<Items>();
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<{ heading: string; error: Failure; retry?: () => void }>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [moving, setMoving] = useState<Item>();

  function fail(heading: string, thrown: unknown, retry?: () => void): void {
    const error = failureOf(thrown);
    if (error.code === "list_not_found") onListGone();
    else setFailure({ heading, error, ...(retry && { retry }) });
  }

  /** Reads the next page. Removed items no longer count, in the service either. */
  async function readMore(): Promise<void> {
    if (loading) return;
    setLoading(true);
    try {
      const known = items?.entries ?? [];
      const present = known.filter(({ removed }) => !removed).length;
      const page = await service.lists.items.list({ listId, expand: "product", limit: PAGE_SIZE, offset: present });
      const keys = new Set(known.map(({ item }) => keyOf(item)));
      // Items that were saved elsewhere in the meantime shift the pages.
      const added = page.items.filter((item) => !keys.has(keyOf(item)));
      setItems({
        entries: [...known, ...added.map((item) => ({ item, removed: false, busy: false }))],
        hasMore: page.has_more,
      });
      setFailure(undefined);
    } catch (error) {
      fail(t("errors.not_loaded"), error, () => void readMore());
    } finally {
      setLoading(false);
    }
  }
  useEffect(() => void readMore(), []);

  function change(item: Item, values: Partial<Entry>): void {
    const changed = (entry: Entry): Entry => (keyOf(entry.item) === keyOf(item) ? { ...entry, ...values } : entry);
    setItems((before) => before && { ...before, entries: before.entries.map(changed) });
  }

  function select(item: Item, on: boolean): void {
    setSelected((before) => {
      const after = new Set(before);
      if (on) after.add(keyOf(item));
      else after.delete(keyOf(item));
      return after;
    });
  }

  /** Changes one item at the service, and shows the change when it is made. */
  async function run(item: Item, heading: string, work: () => Promise<unknown>, done: () => void): Promise<void> {
    change(item, { busy: true });
    try {
      await work();
      setFailure(undefined);
      done();
    } catch (error) {
      fail(heading, error);
    } finally {
      change(item, { busy: false });
    }
  }

  const titleOf = (item: Item): string => item.product?.title ?? t("unknown_product");

  const remove = (item: Item): Promise<void> =>
    run(
      item,
      t("errors.not_removed"),
      () => service.lists.items.remove({ listId, productId: item.productId, variant_id: item.variantId }),
      () => {
        change(item, { removed: true });
        select(item, false);
        onCountChange(listId, -1);
        void shopify.toast.show(t("removed", { title: titleOf(item) }));
      },
    );

  const takeBack = (item: Item): Promise<void> =>
    run(
      item,
      t("errors.not_restored"),
      () => {
        const { productId, variantId, quantity, note, properties } = item;
        return service.lists.items.add({
          listId,
          product_id: productId,
          variant_id: variantId,
          quantity,
          note,
          properties,
        });
      },
      () => {
        change(item, { removed: false });
        onCountChange(listId, 1);
        void shopify.toast.show(t("restored", { title: titleOf(item) }));
      },
    );

  const move = (item: Item, to: List): Promise<void> =>
    run(
      item,
      t("errors.not_moved"),
      () => {
        const { productId, variantId } = item;
        return service.lists.items.move({ listId, items: [{ productId, variantId }], to: to.listId });
      },
      () => {
        setItems((before) => before && { ...before, entries: before.entries.filter((entry) => entry.item !== item) });
        select(item, false);
        onCountChange(listId, -1);
        onCountChange(to.listId, 1);
        void shopify.toast.show(t("moved", { title: titleOf(item), list: nameOf(to) }));
      },
    );

  const banner = failure && (
    <FailureBanner
      heading={failure.heading}
      failure={failure.error}
      {...(failure.retry ? { onRetry: failure.retry } : { onDismiss: () => setFailure(undefined) })}
    />
  );
  if (!items) {
    return (
      banner ?? (
        <s-section>
          <s-spinner accessibilityLabel={t("loading")} />
        </s-section>
      )
    );
  }
  const { entries, hasMore } = items;
  if (entries.length === 0 && !hasMore) {
    return (
      <s-section heading={list.isDefault ? t("empty.heading") : t("empty.list_heading")}>
        <s-stack gap="base">
          {banner}
          <s-paragraph>{list.isDefault ? t("empty.text") : t("empty.list_text")}</s-paragraph>
          <s-stack direction="inline">
            <s-button variant="primary" href={`https://${shop}/collections/all`}>
              {t("empty.browse")}
            </s-button>
          </s-stack>
        </s-stack>
      </s-section>
    );
  }
  const present = entries.filter(({ removed }) => !removed);
  const chosen = present.map(({ item }) => item).filter((item) => selected.has(keyOf(item)));
  const others = lists.filter((one) => one.listId !== listId);

  return (
    <s-section heading={nameOf(list)}>
      <s-stack gap="base">
        {banner}
        <s-stack direction="inline" gap="small" justifyContent="space-between">
          <s-text color="subdued">{t("item_count", { count: list.itemCount })}</s-text>
          {chosen.length > 0 && (
            <s-button variant="primary" href={cartPermalink(shop, chosen)}>
              {t("add_selected", { count: chosen.length })}
            </s-button>
          )}
        </s-stack>
        <s-stack gap="base" accessibilityRole="unordered-list" accessibilityLabel={nameOf(list)}>
          {entries.map(({ item, removed, busy }) => (
            <ItemRow
              key={keyOf(item)}
              item={item}
              title={titleOf(item)}
              removed={removed}
              busy={busy}
              moneyFormat={moneyFormat}
              permalink={isBuyable(item) ? cartPermalink(shop, [item]) : undefined}
              selected={selected.has(keyOf(item))}
              moveDialog={others.length > 0 ? MOVE : undefined}
              onSelect={(on) => select(item, on)}
              onMove={() => setMoving(item)}
              onRemove={() => void (busy || remove(item))}
              onUndo={() => void (busy || takeBack(item))}
            />
          ))}
        </s-stack>
        {hasMore && (
          <s-stack gap="small" alignItems="center">
            <s-text color="subdued">{t("shown", { shown: present.length, total: list.itemCount })}</s-text>
            <s-button onClick={() => void readMore()}>{t(loading ? "loading" : "show_more")}</s-button>
          </s-stack>
        )}
      </s-stack>
      <MoveItem
        id={MOVE}
        title={moving ? titleOf(moving) : ""}
        lists={others}
        onMove={(to) => {
          if (moving) void move(moving, to);
        }}
      />
    </s-section>
  );
}
