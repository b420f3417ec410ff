// Wishlists as staff see them.

/** The owner of a list. Staff don't see a guest's id, because it gives access to the list. */
export type ListOwner = { kind: "customer"; customerId: string } | { kind: "guest" };

/** A customer that a search found, with the customer's wishlist if there is one. */
export interface FoundCustomer {
  customerId: string;
  name: string;
  email: string | undefined;
  list: { wishlistId: string; itemCount: number } | undefined;
}

/** The result of a search: one wishlist, or customers to choose from. */
export type Found = { wishlistId: string } | { customers: FoundCustomer[]; more: boolean };

/** A recently changed list. */
export interface RecentList {
  wishlistId: string;
  owner: ListOwner;
  itemCount: number;
  changedAt: Date;
  change: "added" | "removed";
}

export interface RecentLists {
  /** newest first */
  lists: RecentList[];
  /** cursors of the neighbouring pages, for `?after=` and `?before=` */
  newer: string | undefined;
  older: string | undefined;
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
}

export interface ListedLink {
  linkId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | undefined;
  views: number;
}

export interface ListView {
  wishlistId: string;
  owner: ListOwner;
  itemCount: number;
  createdAt: Date;
  updatedAt: Date;
  items: ListedItem[];
  /** from 1 */
  page: number;
  pages: number;
  /** the link that works now, with its URL */
  openLink: (ListedLink & { url: string | undefined }) | undefined;
  /** the other links, newest first */
  pastLinks: ListedLink[];
}
