import type { z } from "zod";
import {
  DEFAULT_LIST,
  itemsOf,
  LIST_SORTS,
  MAX_LISTS,
  readList,
  offersLists,
  openShareLink,
  readLists,
  type List,
  type ListRef,
  type SavedItem,
} from "../../wishlists/index.server.ts";
import { readAlertChoices } from "../../alerts/index.server.ts";
import { openRequests, readOffer } from "../../contacts/index.server.ts";
import { hasFeature } from "../../billing/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { isCustomer, mayKeepList, type Shopper } from "../identity.server.ts";
import type { fragmentBody } from "../schemas.ts";
import { formToken, ownerTag } from "../tags.server.ts";
import { fragment, themedPage, type LiquidPage, type PageData } from "./liquid-page.ts";
import { cards, pagination, readPage, type ItemAlert } from "./list-page.server.ts";
import { FIRST_PAGE, queryOf, type ListView } from "./list-view.ts";

/** What became of a form, which the page says above the list; `theme/snippets/outcome.liquid` has a text for each code. */
export interface Outcome {
  code:
    | "unknown_list"
    | "name_taken"
    | "name_invalid"
    | "too_many_lists"
    | "lists_off"
    | "details_invalid"
    | "full"
    | "item_gone"
    | "alerts_saved"
    | "list_deleted"
    | "list_restored"
    | "list_changed"
    | "removed"
    | "restored"
    | "moved_to"
    | "copied_to";
  /** of the list that it is about; null for a default list without a name */
  name?: string | null;
  /** a deleted list, or a removed or moved item, which the shopper can take back; `listId` is the list to which the item was moved */
  undo?:
    | { listId: string; version: number; removal?: true }
    | { listId: string; to: string; product: string; variant: string };
}

/** Returns the path of a list's share link and the sharer's name; empty without a link or a name. */
async function linkOf({ shop, storePath }: Shopper, list: ListRef | undefined) {
  const link = list && (await openShareLink(list, shop, storePath));
  return { sharePath: link ? new URL(link.shareUrl).pathname : "", sharedBy: link?.sharedBy ?? "" };
}

/** Returns the variables of `page-wishlist.liquid`. */
async function listData(shopper: Shopper, wanted: ListView, outcome?: Outcome): Promise<PageData | Failure> {
  const { sort, available, q, list: listId = DEFAULT_LIST } = wanted;
  const { shopId, plan, owner } = shopper;
  const customer = isCustomer(shopper) ? shopper.owner.id : undefined;
  const [{ lists, savedCount }, choices, kinds, requests, { page, list }] = await Promise.all([
    owner ? readLists(owner) : { lists: [], savedCount: 0 },
    customer === undefined ? undefined : readAlertChoices(shopId, plan, customer),
    readOffer(shopId, plan, customer === undefined),
    customer === undefined ? [] : openRequests(shopId, customer),
    readPage(wanted.page, (slice) =>
      readList(owner && { ...owner, listId }, { ...slice, sort, available, q, searchesDetails: true }),
    ),
  ]);
  if (list instanceof Failure) {
    if (list.code !== "list_not_found") return list;
    return listData(shopper, FIRST_PAGE, { code: "unknown_list" });
  }
  const current = lists.find((one) => one.listId === listId);
  const { itemCount: listCount, matchCount } = list;
  const view = { ...(listCount === 0 ? FIRST_PAGE : { page, sort, available, q }), list: listId };
  const sharing = hasFeature(plan, "sharing");
  const isShared = customer !== undefined && sharing && current?.shared === true;
  const shown = owner && { ...owner, listId };
  const items = itemsOf(list.json);
  return {
    proxy: shopper.storePath,
    level: 1,
    owner: ownerTag(shopper),
    customer: customer !== undefined,
    sharing,
    count: savedCount,
    listCount,
    matchCount,
    ...listsData(shopper, lists, listId),
    ...outcomeData(outcome),
    offered: choices?.offered ?? [],
    chosen: choices ? choices.offered.filter((kind) => choices.since[kind]) : [],
    ...arrangements(view),
    ...pagination(view, matchCount),
    ...(await linkOf(shopper, isShared ? shown : undefined)),
    removeAction: `${shopper.storePath}/items/remove`,
    token: customer === undefined ? "" : formToken(shopper),
    ...(await cards(shopId, items, shown, alertsOf(items, kinds, requests))),
  };
}

/** Returns what the shopper can ask for about each item, and has asked for. */
function alertsOf(
  items: readonly SavedItem[],
  kinds: ItemAlert["kinds"],
  requests: Awaited<ReturnType<typeof openRequests>>,
): ItemAlert[] {
  return items.map(({ variantId }) => {
    const ofItem = requests.filter((one) => one.variantId === variantId);
    const targetPrice = ofItem.find((one) => one.targetPrice !== null)?.targetPrice ?? null;
    return { kinds, on: ofItem.map(({ kind }) => kind), targetPrice };
  });
}

/** Returns the variables about all lists. */
function listsData(shopper: Shopper, lists: readonly List[], listId: string) {
  const current = lists.find((one) => one.listId === listId);
  return {
    list: listId === DEFAULT_LIST ? "" : listId,
    currentList: listId,
    listName: current?.name ?? "",
    listIds: lists.map((one) => one.listId),
    listNames: lists.map(({ name }) => name ?? ""),
    listCounts: lists.map(({ itemCount }) => String(itemCount)),
    listQueries: lists.map((one) => queryOf({ ...FIRST_PAGE, list: one.listId })),
    versions: versionsOf(lists),
    creates: offersLists(shopper) && lists.length < MAX_LISTS,
  };
}

/** Returns the variables of `arrange.liquid`. */
function arrangements(view: ListView) {
  const { sort, available, q = "" } = view;
  return {
    sort,
    orders: LIST_SORTS,
    orderQueries: LIST_SORTS.map((one) => queryOf({ ...view, page: FIRST_PAGE.page, sort: one })),
    available,
    filter: queryOf({ ...view, page: FIRST_PAGE.page, available: !available }),
    q,
    all: queryOf({ ...FIRST_PAGE, list: view.list, sort }),
  };
}

/** Returns a text that differs after every change of a list, by which the page's script notices changes on other devices. */
function versionsOf(lists: readonly List[]): string {
  return lists.map(({ listId, version }) => `${listId}.${version}`).join(" ");
}

function outcomeData(outcome: Outcome | undefined) {
  const { code = "", name, undo } = outcome ?? {};
  const move = undo && "to" in undo ? undo : undefined;
  return {
    outcome: code,
    outcomeName: name ?? "",
    undoList: undo?.listId ?? "",
    undoVersion: undo && "version" in undo ? undo.version : undefined,
    undoRemoval: undo !== undefined && "removal" in undo,
    undoTo: move?.to ?? "",
    undoProduct: move?.product,
    undoVariant: move?.variant,
  };
}

/**
 * Returns the shopper's own wishlist. A guest's is filled in by the page's script: the browser alone knows the guest.
 * @param outcome what became of the form that led here
 */
export async function myWishlist(shopper: Shopper, view: ListView, outcome?: Outcome): Promise<LiquidPage | Failure> {
  if (isCustomer(shopper)) {
    const data = await listData(shopper, view, outcome);
    return data instanceof Failure ? data : themedPage("wishlist", { ...data, linked: true });
  }
  const data = { proxy: shopper.storePath, level: 1 } as const;
  if (!mayKeepList(shopper)) return themedPage("log-in", data);
  const { list, page, sort, available, q } = view;
  const shown = { list, page, sort, available, q };
  const guest = {
    owner: ownerTag(shopper),
    sharing: hasFeature(shopper.plan, "sharing"),
    count: 0,
    ...shown,
    shell: true,
  };
  return themedPage("guest", { ...data, ...guest });
}

/** Returns the same without the theme's layout, and with a guest's items. */
export async function wishlistFragment(
  shopper: Shopper,
  body: z.output<typeof fragmentBody>,
): Promise<LiquidPage | Failure> {
  const { heading: level, listId: list, page, sort, available, q, bare } = body;
  if (!mayKeepList(shopper)) return fragment("log-in", { proxy: shopper.storePath, level }, bare);
  const data = await listData(shopper, { list, page, sort, available, q });
  return data instanceof Failure ? data : fragment("wishlist", { ...data, level }, bare);
}
