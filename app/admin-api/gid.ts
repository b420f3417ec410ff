import { z } from "zod";

/** Parses a GID such as gid://shopify/Product/1 to its last part. */
export const gidSchema = z.string().transform((text) => text.slice(text.lastIndexOf("/") + 1));
