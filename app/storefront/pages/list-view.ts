import type { ListSort } from "../../wishlists/index.server.ts";

/** The part and the order of a list that a page shows. */
export interface ListView {
  /** from 1 */
  page: number;
  sort: ListSort;
  /** only items that can be bought */
  available: boolean;
}

export const FIRST_PAGE: ListView = { page: 1, sort: "newest", available: false };

/** Returns the query of the page that shows the view; defaults are left out. */
export function queryOf({ page, sort, available }: ListView): string {
  const fields = {
    ...(page !== FIRST_PAGE.page && { page: String(page) }),
    ...(sort !== FIRST_PAGE.sort && { sort }),
    ...(available && { available: "1" }),
  };
  return `?${new URLSearchParams(fields).toString()}`;
}
