/** What a merchant's staff see of wishlists. */

/** Whose list. A guest has no name: what their browser calls them is theirs alone. */
export type ListOwner = { kind: "customer"; customerId: string } | { kind: "guest" };

/** A customer whom a search found, and the wishlist if there is one. */
export interface FoundCustomer {
  customerId: string;
  name: string;
  email: string | undefined;
  list: { wishlistId: string; itemCount: number } | undefined;
}

/** What a search leads to: one wishlist, or customers to choose from. */
export type Found = { wishlistId: string } | { customers: FoundCustomer[]; more: boolean };

/** A list that was changed of late. */
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
  /** where the lists before and after these begin, as `?after=` and `?before=` take it */
  newer: string | undefined;
  older: string | undefined;
}

/** `gone`: the store sells it no longer; `unknown`: the store has no such product or variant. */
export type Stock = "in" | "out" | "gone" | "unknown";

export interface ListedItem {
  productId: string;
  variantId: string;
  addedAt: Date;
  /** undefined: the store's catalogue has none */
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
  /** the link that can be read now, with its address */
  openLink: (ListedLink & { url: string | undefined }) | undefined;
  /** the others, newest first */
  pastLinks: ListedLink[];
}
