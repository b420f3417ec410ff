import { z } from "zod";

/** Characters of a customer's tag in Shopify. */
export const TAG_LENGTH = 255;

/** A tag. Shopify separates tags by commas. */
export const tagSchema = z
  .string("Enter a tag.")
  .max(TAG_LENGTH, `Enter at most ${TAG_LENGTH} characters.`)
  .trim()
  .min(1, "Enter a tag.")
  .regex(/^[^,]*$/, "Enter one tag, without a comma.")
  .regex(/^\P{Cc}*$/u, "Enter a tag without control characters.");

/** How a tagging ended: `stopped` by staff, `not_permitted` because the merchant has withdrawn the permission. */
export type TaggingStatus = "running" | "done" | "stopped" | "not_permitted";

/** Customers to whom a tag is added in Shopify, one after the other. */
export interface Tagging {
  id: string;
  tag: string;
  status: TaggingStatus;
  /** customers at the beginning */
  total: number;
  tagged: number;
  /** customers whom Shopify refused to tag, such as those that it no longer has */
  refused: number;
  /** what Shopify said when it refused one last */
  problem: string | undefined;
}
