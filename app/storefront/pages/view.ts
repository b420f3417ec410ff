import type { ListSort } from "../../wishlists/index.server.ts";

/** What a page shows of a list. */
export interface View {
  /** from 1 */
  page: number;
  sort: ListSort;
  /** only what can be bought */
  available: boolean;
}

export const FIRST_PAGE: View = { page: 1, sort: "newest", available: false };

/** The query of the page that shows the view, without what goes without saying. */
export function queryOf({ page, sort, available }: View): string {
  const fields = {
    ...(page !== FIRST_PAGE.page && { page: String(page) }),
    ...(sort !== FIRST_PAGE.sort && { sort }),
    ...(available && { available: "1" }),
  };
  return `?${new URLSearchParams(fields).toString()}`;
}
