import { useState } from "preact/hooks";
import type { Item, List } from "@wishlist-headless/sdk";
import { AlertButton } from "./alert-button.tsx";
import { requestFor, waitsFor, type Requests } from "./alerts.ts";
import { ArrangeList } from "./arrange-list.tsx";
import { cartPermalink, isBuyable } from "./cart.ts";
import { EditItem } from "./edit-item.tsx";
import { EmptyList } from "./empty-list.tsx";
import { FailureBanner } from "./failure-banner.tsx";
import { ItemRow } from "./item-row.tsx";
import { nameOf } from "./messages.ts";
import { MoveItem } from "./move-item.tsx";
import { PriceAlert } from "./price-alert.tsx";
import { t } from "./texts.ts";
import { keyOf, titleOf, useEntries, type Entries } from "./use-entries.ts";
import { useSelection } from "./use-selection.ts";
import { isFiltered, WHOLE_LIST } from "./view.ts";

/** Items above which a list has a search. */
const LONG_LIST = 20;
const EDIT = "edit-item";
const MOVE = "move-item";
const PRICE_ALERT = "price-alert";

interface Props {
  list: List;
  lists: readonly List[];
  shop: string;
  moneyFormat: string | null;
  /** alerts about single items */
  ofItems: Requests;
  onRequestsChange: (after: Requests) => void;
  onCountChange: (listId: string, change: number) => void;
  /** called when the list no longer exists */
  onListGone: () => void;
}

/** Shows the items of a list, page by page. */
export function ListItems(props: Props) {
  const { list, lists, shop, moneyFormat, ofItems, onRequestsChange, onCountChange, onListGone } = props;
  const { listId } = list;
  const { isSelected, select } = useSelection();
  const onLeave = (item: Item): void => select(item, false);
  const [view, setView] = useState(WHOLE_LIST);
  const shown = useEntries(listId, view, { onCountChange, onLeave, onListGone, onRequestsChange });
  /** the item of the last dialog that was opened */
  const [dialogItem, setDialogItem] = useState<Item>();
  const { items, loading, failure, readMore, remove, takeBack, edit, move, ask, stop, askForPrice } = shown;

  if (!items) return failure ? <Banner shown={shown} /> : <Loading />;
  const { entries, total, hasMore } = items;
  const filtered = isFiltered(view);
  if (entries.length === 0 && !hasMore && !filtered) {
    return (
      <EmptyList isDefault={list.isDefault} shop={shop}>
        <Banner shown={shown} />
      </EmptyList>
    );
  }
  const present = entries.filter(({ removed }) => !removed);
  const chosen = present.map(({ item }) => item).filter(isSelected);
  const openRequest = dialogItem && requestFor(dialogItem, ofItems);
  const others = lists.filter((one) => one.listId !== listId);

  return (
    <s-section heading={nameOf(list)}>
      <s-stack gap="base">
        <Banner shown={shown} />
        {(list.itemCount > 1 || filtered) && (
          <ArrangeList view={view} isLong={list.itemCount > LONG_LIST} onChange={setView} />
        )}
        <s-stack direction="inline" gap="small" justifyContent="space-between">
          <s-stack direction="inline" gap="small">
            <s-box accessibilityRole="status">
              <s-text color="subdued">
                {filtered ? t("arrange.found", { count: total }) : t("item_count", { count: list.itemCount })}
              </s-text>
            </s-box>
            {filtered && (
              <s-button onClick={() => setView({ ...WHOLE_LIST, order: view.order })}>{t("arrange.show_all")}</s-button>
            )}
          </s-stack>
          {chosen.length > 0 && (
            <s-button variant="primary" href={cartPermalink(shop, chosen)}>
              {t("add_selected", { count: chosen.length })}
            </s-button>
          )}
        </s-stack>
        {entries.length > 0 && (
          <s-stack gap="base" accessibilityRole="unordered-list" accessibilityLabel={nameOf(list)}>
            {entries.map((entry) => {
              const { item, busy } = entry;
              const request = requestFor(item, ofItems);
              return (
                <ItemRow
                  key={keyOf(item)}
                  entry={entry}
                  moneyFormat={moneyFormat}
                  permalink={isBuyable(item) ? cartPermalink(shop, [item]) : undefined}
                  selected={isSelected(item)}
                  moveDialog={others.length > 0 ? MOVE : undefined}
                  waitsFor={request && waitsFor(request, moneyFormat)}
                  onSelect={(on) => select(item, on)}
                  editDialog={EDIT}
                  onOpenDialog={() => setDialogItem(item)}
                  onRemove={() => void (busy || remove(item))}
                  onUndo={() => void (busy || takeBack(item))}
                >
                  <AlertButton
                    item={item}
                    ofItems={ofItems}
                    priceDialog={PRICE_ALERT}
                    onOpen={() => setDialogItem(item)}
                    onAsk={() => void (busy || ask(item))}
                    onStop={() => void (busy || (request && stop(item, request)))}
                  />
                </ItemRow>
              );
            })}
          </s-stack>
        )}
        {hasMore && (
          <s-stack gap="small" alignItems="center">
            <s-text color="subdued">
              {t("shown", { shown: present.length, total: filtered ? total : list.itemCount })}
            </s-text>
            <s-button onClick={() => void readMore()}>{t(loading ? "loading" : "show_more")}</s-button>
          </s-stack>
        )}
      </s-stack>
      <EditItem id={EDIT} item={dialogItem} onSave={edit} />
      <MoveItem
        id={MOVE}
        title={dialogItem ? titleOf(dialogItem) : ""}
        lists={others}
        onMove={(to) => {
          if (dialogItem) void move(dialogItem, to);
        }}
      />
      <PriceAlert
        id={PRICE_ALERT}
        item={dialogItem}
        targetPrice={openRequest?.targetPrice ?? ""}
        isOn={openRequest !== undefined}
        onAsk={askForPrice}
        onStop={(item) => void (openRequest && stop(item, openRequest))}
      />
    </s-section>
  );
}

function Loading() {
  return (
    <s-section>
      <s-spinner accessibilityLabel={t("loading")} />
    </s-section>
  );
}

/** Says what has failed, if something has. */
function Banner({ shown: { failure, dismissFailure } }: { shown: Entries }) {
  if (!failure) return null;
  const { heading, error, retry } = failure;
  return (
    <FailureBanner
      heading={heading}
      failure={error}
      {...(retry ? { onRetry: retry } : { onDismiss: dismissFailure })}
    />
  );
}
