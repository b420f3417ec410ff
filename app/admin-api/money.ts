import { z } from "zod";

/** Parses an amount without currency, such as 19.90. */
export const amountSchema = z.string().regex(/^-?\d+(?:\.\d+)?$/);
