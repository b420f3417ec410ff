import type { ShownDetails } from "../items/details.ts";

// Wishlists as staff see them.

/** The owner of a list. Staff don't see a guest's id, because it gives access to the list. */
export type ListOwner = { kind: "customer"; customerId: string } | { kind: "guest" };

/** A customer that a search found, with the customer's default list if there are lists. */
export interface FoundCustomer {
  customerId: string;
  name: string;
  email: string | undefined;
  /** `itemCount` and `lists` count all lists of the customer */
  list: { wishlistId: string; itemCount: number; lists: number } | undefined;
}

/** The result of a search: one wishlist, or customers to choose from. */
export type Found = { wishlistId: string } | { customers: FoundCustomer[]; more: boolean };

/** A list in the index. Counts, value and marks are those of its summary. */
export interface IndexedList {
  wishlistId: string;
  owner: ListOwner;
  name: ListName;
  itemCount: number;
  /** current prices times quantities, in the shop's currency */
  value: string;
  /** items that are out of stock */
  outOfStock: number;
  /** items that cost less than when they were saved */
  priceDropped: number;
  /** whether its owner has asked for alerts */
  hasAlerts: boolean;
  isShared: boolean;
  activeAt: Date;
}

export interface ListIndexPage {
  lists: IndexedList[];
  /** cursors of the neighbouring pages, for `?before=` and `?after=` */
  previous: string | undefined;
  next: string | undefined;
}

/** The name of a list: undefined for a default list without a name. */
export interface ListName {
  name: string | undefined;
  isDefault: boolean;
}

/** `gone`: deleted in the store; `unknown`: the catalog cache has no such product or variant. */
export type Stock = "in" | "out" | "gone" | "unknown";

export interface ListedItem {
  productId: string;
  variantId: string;
  addedAt: Date;
  /** undefined when the catalog cache has no title */
  title: string | undefined;
  /** undefined for the only variant of a product */
  variantTitle: string | undefined;
  imageUrl: string | undefined;
  stock: Stock;
  details: ShownDetails;
}

/** A list beside the others of its owner. */
export interface OwnersList extends ListName {
  wishlistId: string;
  itemCount: number;
  updatedAt: Date;
  shared: boolean;
}

/** A deleted list that can be restored. */
export interface DeletedList {
  wishlistId: string;
  name: string;
  deletedAt: Date;
  /** items that the deletion removed */
  itemCount: number;
}

export interface ListedLink {
  linkId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | undefined;
  views: number;
  /** the name that the shopper has given with the link */
  sharedBy: string | undefined;
}

/** An item in a list as it is now. Prices are texts such as "79.90". */
export interface PricedItem extends ListedItem {
  /** undefined when the catalog cache has none */
  price: string | undefined;
  /** when the item was saved; undefined when it is unknown or was in another currency */
  savedPrice: string | undefined;
}

export interface ListView extends ListName {
  wishlistId: string;
  owner: ListOwner;
  /** undefined unless the list is deleted */
  deletedAt: Date | undefined;
  /** all lists of the owner, the default list first */
  lists: OwnersList[];
  /** lists that were deleted lately, the latest first */
  deletedLists: DeletedList[];
  itemCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** of all items that the store has, at their prices now, such as "129.90" */
  value: string;
  items: PricedItem[];
  /** from 1 */
  page: number;
  pages: number;
  /** the link that works now, with its URL */
  openLink: (ListedLink & { url: string | undefined }) | undefined;
  /** the other links, newest first */
  pastLinks: ListedLink[];
}

/** Where a change of a list came from. */
export type ChangeSource = "storefront" | "cart" | "api" | "staff" | "import" | "login" | "move" | "restore" | "other";

/** A version of a list. */
export interface VersionView {
  version: number;
  at: Date;
  source: ChangeSource;
  /** what happened to the list itself */
  listEvent: "created" | "renamed" | "moved" | "deleted" | undefined;
  added: number;
  removed: number;
  updated: number;
  itemCount: number;
  /** titles of some of its products */
  titles: string[];
  restorable: boolean;
}

export interface HistoryView extends ListName {
  wishlistId: string;
  owner: ListOwner;
  /** the newest version */
  current: number;
  deletedAt: Date | undefined;
  /** newest first */
  versions: VersionView[];
  /** cursors of the neighbouring pages, for `?before=`; an empty `newer` means the first page */
  newer: string | undefined;
  older: string | undefined;
}

/** An item that a restore changes. */
export interface RestoredItem {
  item: ListedItem;
  /** the present details; undefined for an item that is not in the list */
  now: ShownDetails | undefined;
}

/** What restoring a version changes. */
export interface RestorePreview extends ListName {
  wishlistId: string;
  owner: ListOwner;
  version: number;
  /** the newest version, with which the preview compares */
  current: number;
  /** when the version was made; undefined for the empty list at the creation */
  at: Date | undefined;
  deletedAt: Date | undefined;
  /** the first items of each kind, and how many there are */
  added: { items: RestoredItem[]; count: number };
  removed: { items: RestoredItem[]; count: number };
  updated: { items: RestoredItem[]; count: number };
  /** why the version can't be restored */
  refused: string | undefined;
}

/** Customers and guests who have something saved. */
export interface People {
  people: number;
  /** whether there are further lists than the counted ones */
  more: boolean;
}

/** People who saved a variant. */
export interface Savers extends People {
  /** those who are customers, not guests */
  customers: number;
}

/** A product in a list of a customer. */
export interface ProductCustomer {
  customerId: string;
  wishlistId: string;
  /** null for a list without a name */
  listName: string | null;
  isDefault: boolean;
  variantId: string;
  /** null when the catalog cache has no title */
  variantTitle: string | null;
  savedAt: Date;
  quantity: number;
  /** null when it is unknown */
  savedPrice: string | null;
  /** the kinds of alerts that the customer has asked for */
  alerts: string[];
}

export interface ProductCustomers {
  /** newest save first */
  listed: ProductCustomer[];
  hasNext: boolean;
  /** how many customers and guests have the product */
  customers: number;
  guests: number;
  /** whether there are more than were counted and ordered */
  more: boolean;
}
