import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { csvTable } from "../platform/csv.ts";
import { Failure } from "../platform/failure.ts";
import { activityReport } from "./dashboard.server.ts";
import { spanOf } from "./periods.ts";
import { outOfStock, productFindings, rankedProducts } from "./products.server.ts";

/** Maximum rows of a list. */
export const LISTED = 100;

interface Asked {
  shop: { id: number; domain: string; timeZone: string; currency: string | null };
  query: URLSearchParams;
  /** product id, for tables about one product */
  product: string;
}

interface CsvFile {
  name: string;
  text: string;
}

/** Keeps only characters that are safe in file names. */
function fileName({ shop }: Asked, ...parts: string[]): string {
  const store = shop.domain.replace(/\.myshopify\.com$/, "");
  return ["wishlist", ...parts, store].map((part) => part.replaceAll(/[^\w-]+/g, "_").slice(0, 60)).join("-");
}

/** File name of a list as of today. */
function ofToday(asked: Asked, ...parts: string[]): string {
  const { timeZone } = asked.shop;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now());
  return `${fileName(asked, ...parts)}-${today}.csv`;
}

function ofDays(asked: Asked, days: readonly { date: string }[], ...parts: string[]): string {
  return `${fileName(asked, ...parts)}-${days[0]?.date ?? ""}-to-${days.at(-1)?.date ?? ""}.csv`;
}

/** With a comparison, a column names the period of each day. */
async function daily(asked: Asked): Promise<CsvFile> {
  const { days, before } = await activityReport(asked.shop.id, spanOf(asked.query));
  const periods = [...(before ? [{ name: "previous", days: before.days }] : []), { name: "current", days }];
  const rows = periods.flatMap((period) =>
    period.days.map((day) => [
      day.date,
      ...(before ? [period.name] : []),
      day.itemsAdded,
      day.itemsRemoved,
      day.uniqueShoppers,
      day.addToCartFromWishlist,
    ]),
  );
  const head = ["Date", ...(before ? ["Period"] : []), "Saved", "Removed", "Active shoppers", "Added to cart"];
  const all = periods.flatMap((period) => period.days);
  return { name: ofDays(asked, all, "daily"), text: csvTable(head, rows) };
}

async function topProducts(asked: Asked): Promise<CsvFile> {
  const products = await rankedProducts(asked.shop.id, LISTED);
  const rows = products.map(({ productId, title, deleted, wishlistCount }) => [
    productId,
    title,
    title === null ? "unknown" : deleted ? "deleted" : "in the store",
    wishlistCount,
  ]);
  return {
    name: ofToday(asked, "top-products"),
    text: csvTable(["Product id", "Product", "State", "Saves"], rows),
  };
}

async function wantedOutOfStock(asked: Asked): Promise<CsvFile> {
  const { variants } = await outOfStock(asked.shop.id, LISTED);
  const head = ["Product id", "Product", "Variant id", "Variant", "Price", "Currency", "Saves"];
  const rows = variants.map((one) => [
    one.productId,
    one.productTitle,
    one.variantId,
    one.title,
    one.price,
    asked.shop.currency,
    one.wishlistCount,
  ]);
  return { name: ofToday(asked, "out-of-stock"), text: csvTable(head, rows) };
}

async function productHistory(asked: Asked): Promise<CsvFile | undefined> {
  const found = await productFindings(asked.shop.id, asked.product, spanOf(asked.query).period);
  if (!found) return undefined;
  const rows = found.days.map((day) => [day.date, day.itemsAdded, day.itemsRemoved, day.addToCartFromWishlist]);
  return {
    name: ofDays(asked, found.days, "product", asked.product),
    text: csvTable(["Date", "Saved", "Removed", "Added to cart"], rows),
  };
}

const STOCK = {
  available: "in stock",
  unavailable: "out of stock",
  deleted: "deleted",
  unknown: "unknown",
};

async function productVariants(asked: Asked): Promise<CsvFile | undefined> {
  const found = await productFindings(asked.shop.id, asked.product, spanOf(asked.query).period);
  if (!found) return undefined;
  const rows = found.variants.map((one) => [
    one.variantId,
    one.title,
    one.price,
    one.price && asked.shop.currency,
    STOCK[one.stock],
    one.wishlistCount,
  ]);
  return {
    name: ofToday(asked, "variants", asked.product),
    text: csvTable(["Variant id", "Variant", "Price", "Currency", "Stock", "Saves"], rows),
  };
}

const TABLES = {
  daily,
  "top-products": topProducts,
  "out-of-stock": wantedOutOfStock,
  product: productHistory,
  variants: productVariants,
};

const askedSchema = z.object({
  table: z.enum(
    ["daily", "top-products", "out-of-stock", "product", "variants"],
    "is not a table that can be exported",
  ),
  product: z.string("is missing").max(255, "is not a product id").optional(),
});

/** Exports a table of the analytics pages as CSV. @param query `table`, and the page's `period`, `compare` and `product` */
export async function exportTable(shop: Asked["shop"], query: URLSearchParams): Promise<CsvFile | Failure> {
  const parsed = askedSchema.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new Failure("invalid_request", `\`${issue?.path.join(".") ?? ""}\` ${issue?.message ?? ""}.`);
  }
  const { table, product = "" } = parsed.data;
  const file = await TABLES[table]({ shop, query, product });
  return file ?? new Failure("product_not_found", "This product does not exist. Check the product id.");
}
