import { z } from "zod";

/** Parses an amount without currency, such as 19.90. Columns of amounts have no bound, so it is here. */
export const amountSchema = z
  .string()
  .regex(/^-?\d{1,18}(?:\.\d{1,6})?$/, "must be an amount of at most 18 digits before the point");
