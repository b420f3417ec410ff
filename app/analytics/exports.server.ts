import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { csvTable } from "../platform/text/csv.ts";
import { Failure } from "../platform/failure.ts";
import { activityReport } from "./dashboard.server.ts";
import { spanOf } from "./periods.ts";
import { revenueReport } from "./revenue.server.ts";
import { outOfStock, productFindings, rankedProducts } from "./products.server.ts";

/** Maximum rows of a list. */
export const LISTED = 100;

interface TableRequest {
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
function fileName({ shop }: TableRequest, ...parts: string[]): string {
  const store = shop.domain.replace(/\.myshopify\.com$/, "");
  return ["wishlist", ...parts, store].map((part) => part.replaceAll(/[^\w-]+/g, "_").slice(0, 60)).join("-");
}

/** Returns the file name of a list as of today. */
function ofToday(request: TableRequest, ...parts: string[]): string {
  const { timeZone } = request.shop;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now());
  return `${fileName(request, ...parts)}-${today}.csv`;
}

function ofDays(request: TableRequest, days: readonly { date: string }[], ...parts: string[]): string {
  return `${fileName(request, ...parts)}-${days[0]?.date ?? ""}-to-${days.at(-1)?.date ?? ""}.csv`;
}

/** Exports the days of a period. With a comparison, a column names the period of each day. */
async function daily(request: TableRequest): Promise<CsvFile> {
  const { days, before } = await activityReport(request.shop.id, spanOf(request.query));
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
  return { name: ofDays(request, all, "daily"), text: csvTable(head, rows) };
}

/** Exports what wishlists earned on each day of a period. With a comparison, a column names the period of each day. */
async function revenue(request: TableRequest): Promise<CsvFile> {
  const { days, before } = await revenueReport(request.shop.id, spanOf(request.query), 0);
  const periods = [...(before ? [{ name: "previous", days: before.days }] : []), { name: "current", days }];
  const rows = periods.flatMap((period) =>
    period.days.map((day) => [
      ...[day.date, ...(before ? [period.name] : [])],
      ...[day.orders, day.savedOrders, day.units, day.revenue, request.shop.currency],
    ]),
  );
  const numbers = ["All orders", "Orders with saved items", "Units", "Revenue", "Currency"];
  const head = ["Date", ...(before ? ["Period"] : []), ...numbers];
  const all = periods.flatMap((period) => period.days);
  return { name: ofDays(request, all, "revenue"), text: csvTable(head, rows) };
}

async function revenueProducts(request: TableRequest): Promise<CsvFile> {
  const { period } = spanOf(request.query);
  const { days, products } = await revenueReport(request.shop.id, { period, compare: false }, LISTED);
  const rows = products.map(({ productId, title, ...sums }) => [
    ...[productId, title, sums.orders, sums.units, sums.revenue, request.shop.currency],
  ]);
  const head = ["Product id", "Product", "Orders", "Units", "Revenue", "Currency"];
  return { name: ofDays(request, days, "revenue-products"), text: csvTable(head, rows) };
}

async function topProducts(request: TableRequest): Promise<CsvFile> {
  const products = await rankedProducts(request.shop.id, LISTED);
  const rows = products.map(({ productId, title, deleted, wishlistCount }) => [
    productId,
    title,
    title === null ? "unknown" : deleted ? "deleted" : "in the store",
    wishlistCount,
  ]);
  return {
    name: ofToday(request, "top-products"),
    text: csvTable(["Product id", "Product", "State", "Saves"], rows),
  };
}

async function wantedOutOfStock(request: TableRequest): Promise<CsvFile> {
  const { variants } = await outOfStock(request.shop.id, LISTED);
  const head = ["Product id", "Product", "Variant id", "Variant", "Price", "Currency", "Saves"];
  const rows = variants.map((variant) => [
    variant.productId,
    variant.productTitle,
    variant.variantId,
    variant.title,
    variant.price,
    request.shop.currency,
    variant.wishlistCount,
  ]);
  return { name: ofToday(request, "out-of-stock"), text: csvTable(head, rows) };
}

async function productHistory(request: TableRequest): Promise<CsvFile | undefined> {
  const found = await productFindings(request.shop.id, request.product, spanOf(request.query).period);
  if (!found) return undefined;
  const rows = found.days.map((day) => [day.date, day.itemsAdded, day.itemsRemoved, day.addToCartFromWishlist]);
  return {
    name: ofDays(request, found.days, "product", request.product),
    text: csvTable(["Date", "Saved", "Removed", "Added to cart"], rows),
  };
}

const STOCK = {
  available: "in stock",
  unavailable: "out of stock",
  deleted: "deleted",
  unknown: "unknown",
};

async function productVariants(request: TableRequest): Promise<CsvFile | undefined> {
  const found = await productFindings(request.shop.id, request.product, spanOf(request.query).period);
  if (!found) return undefined;
  const rows = found.variants.map((variant) => [
    variant.variantId,
    variant.title,
    variant.price,
    variant.price && request.shop.currency,
    STOCK[variant.stock],
    variant.wishlistCount,
  ]);
  return {
    name: ofToday(request, "variants", request.product),
    text: csvTable(["Variant id", "Variant", "Price", "Currency", "Stock", "Saves"], rows),
  };
}

const TABLES = {
  daily,
  revenue,
  "revenue-products": revenueProducts,
  "top-products": topProducts,
  "out-of-stock": wantedOutOfStock,
  product: productHistory,
  variants: productVariants,
};

const querySchema = z.object({
  table: z.enum(
    ["daily", "revenue", "revenue-products", "top-products", "out-of-stock", "product", "variants"],
    "is not a table that can be exported",
  ),
  product: z.string("is missing").max(255, "is not a product id").optional(),
});

/** Exports a table of the analytics pages as CSV. @param query `table`, and the page's `period`, `compare` and `product` */
export async function exportTable(shop: TableRequest["shop"], query: URLSearchParams): Promise<CsvFile | Failure> {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new Failure("invalid_request", `\`${issue?.path.join(".") ?? ""}\` ${issue?.message ?? ""}.`);
  }
  const { table, product = "" } = parsed.data;
  const file = await TABLES[table]({ shop, query, product });
  return file ?? new Failure("product_not_found", "This product does not exist. Check the product id.");
}
