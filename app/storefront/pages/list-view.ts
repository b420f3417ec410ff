import type { z } from "zod";
import type { fragmentBody } from "../schemas.ts";

/** The page, order and filter of a list. */
export type ListView = Pick<z.output<typeof fragmentBody>, "page" | "sort" | "available">;

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
