import type { z } from "zod";
import { DEFAULT_LIST } from "../../wishlists/owner.ts";
import type { fragmentBody } from "../schemas.ts";

/** The list that a page shows, and its page, order and filter. */
export type ListView = Pick<z.output<typeof fragmentBody>, "page" | "sort" | "available" | "q"> & {
  /** the default list if it is not given */
  list?: string | undefined;
};

export const FIRST_PAGE: ListView = { page: 1, sort: "newest", available: false };

/** Returns the query of the page that shows the view; defaults are left out. */
export function queryOf({ list, page, sort, available, q }: ListView): string {
  const fields = {
    ...(list !== undefined && list !== DEFAULT_LIST && { list }),
    ...(page !== FIRST_PAGE.page && { page: String(page) }),
    ...(sort !== FIRST_PAGE.sort && { sort }),
    ...(available && { available: "1" }),
    ...(q !== undefined && { q }),
  };
  return `?${new URLSearchParams(fields).toString()}`;
}
