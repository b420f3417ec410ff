import { z } from "zod";
import { csvTable } from "../platform/text/csv.ts";
import { Failure } from "../platform/failure.ts";
import { cohortsIn, LATER } from "./cohorts.server.ts";
import { fileName, fileNameOfToday, type CsvFile } from "./csv-file.server.ts";
import { activityIn } from "./dashboard.server.ts";
import { spanOf } from "./periods.ts";
import { rangeOf, type Range } from "./range.server.ts";
import { revenueIn } from "./revenue.server.ts";
import { usageIn } from "./usage.server.ts";
import { outOfStock, productFindings, rankedProducts } from "./products.server.ts";

/** Maximum rows of a list. */
export const LISTED = 100;

interface TableRequest {
  shop: { id: number; domain: string; timeZone: string; currency: string | null };
  range: Range;
  /** whether the period is compared with the previous one */
  compare: boolean;
  /** product id, for tables about one product */
  product: string;
}

function ofDays(request: TableRequest, days: readonly { date: string }[], ...parts: string[]): string {
  return `${fileName(request.shop, ...parts)}-${days[0]?.date ?? ""}-to-${days.at(-1)?.date ?? ""}.csv`;
}

/** A period of a table: its days, and the time at which the last of them is cut. */
interface ExportedPeriod<Day> {
  name: string;
  days: readonly Day[];
  until: string | undefined;
}

/**
 * Returns the rows of a period and of the one before it. With a comparison, columns name the period of each day, and the time up to which a day of the
 * previous period is counted because today is not over.
 */
function comparedRows<Day extends { date: string }>(
  { days, before }: { days: readonly Day[]; before: Omit<ExportedPeriod<Day>, "name"> | undefined },
  cellsOf: (day: Day, isCut: boolean) => readonly (string | number | null)[],
): { head: string[]; rows: (string | number | null)[][]; all: readonly Day[] } {
  if (!before) return { head: ["Date"], rows: days.map((day) => [day.date, ...cellsOf(day, false)]), all: days };
  const periods: ExportedPeriod<Day>[] = [
    { name: "previous", ...before },
    { name: "current", days, until: undefined },
  ];
  const rows = periods.flatMap(({ name, days: some, until }) =>
    some.map((day, index) => {
      const isCut = until !== undefined && index === some.length - 1;
      return [day.date, name, isCut ? until : "", ...cellsOf(day, isCut)];
    }),
  );
  return { head: ["Date", "Period", "Until"], rows, all: [...before.days, ...days] };
}

/** Exports the days of a period. */
async function daily(request: TableRequest): Promise<CsvFile> {
  const { range, compare } = request;
  const { head, rows, all } = comparedRows(
    await activityIn(request.shop.id, range, compare),
    // How many shoppers were active up to an hour is unknown.
    (day, isCut) => [...[day.itemsAdded, day.itemsRemoved, isCut ? "" : day.uniqueShoppers, day.addToCartFromWishlist]],
  );
  const columns = ["Saved", "Removed", "Active shoppers", "Added to cart"];
  return { name: ofDays(request, all, "daily"), text: csvTable([...head, ...columns], rows) };
}

/** Exports what wishlists earned on each day of a period. */
async function revenue(request: TableRequest): Promise<CsvFile> {
  const { range, compare, shop } = request;
  const { head, rows, all } = comparedRows(await revenueIn(shop.id, range, { compare, listed: 0 }), (day) => [
    ...[day.orders, day.savedOrders, day.units, day.revenue, shop.currency],
  ]);
  const columns = ["All orders", "Orders with saved items", "Units", "Revenue", "Currency"];
  return { name: ofDays(request, all, "revenue"), text: csvTable([...head, ...columns], rows) };
}

async function revenueProducts(request: TableRequest): Promise<CsvFile> {
  const { range, shop } = request;
  const { days, products } = await revenueIn(shop.id, range, { compare: false, listed: LISTED });
  const rows = products.map(({ productId, title, ...sums }) => [
    ...[productId, title, sums.orders, sums.units, sums.revenue, shop.currency],
  ]);
  const head = ["Product id", "Product", "Orders", "Units", "Revenue", "Currency"];
  return { name: ofDays(request, days, "revenue-products"), text: csvTable(head, rows) };
}

/** Exports who changed wishlists in a period, and from where. */
async function usage({ shop, range }: TableRequest): Promise<CsvFile> {
  const { groups } = await usageIn(shop.id, range);
  const rows = groups.map((group) => [
    ...[group.ownerKind, group.source, group.itemsAdded, group.itemsRemoved, group.addToCartFromWishlist, group.shared],
  ]);
  const columns = ["Who", "Source", "Saved", "Removed", "Added to cart", "Share links created"];
  return { name: fileNameOfToday(shop, "usage"), text: csvTable(columns, rows) };
}

/** Exports the shoppers who first saved an item in a period, by the week or month of that save. */
async function cohorts({ shop, range }: TableRequest): Promise<CsvFile> {
  const found = await cohortsIn(shop.id, range);
  const rows = found.cohorts.map(({ first, last, later, ...sums }) => [
    ...[first, last, sums.shoppers, sums.customers, sums.returned, sums.bought],
    ...Array.from({ length: LATER }, (_, index) => later[index] ?? ""),
  ]);
  const head = ["First day", "Last day", "Shoppers", "Customers", "Came back", "Bought"];
  const columns = Array.from({ length: LATER }, (_, index) => `Active ${found.unit} ${index + 1}`);
  return { name: fileNameOfToday(shop, "first-saves"), text: csvTable([...head, ...columns], rows) };
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
    name: fileNameOfToday(request.shop, "top-products"),
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
  return { name: fileNameOfToday(request.shop, "out-of-stock"), text: csvTable(head, rows) };
}

async function productHistory(request: TableRequest): Promise<CsvFile | undefined> {
  const found = await productFindings(request.shop.id, request.product, request.range);
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
  const found = await productFindings(request.shop.id, request.product, request.range);
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
    name: fileNameOfToday(request.shop, "variants", request.product),
    text: csvTable(["Variant id", "Variant", "Price", "Currency", "Stock", "Saves"], rows),
  };
}

const TABLES = {
  daily,
  usage,
  cohorts,
  revenue,
  "revenue-products": revenueProducts,
  "top-products": topProducts,
  "out-of-stock": wantedOutOfStock,
  product: productHistory,
  variants: productVariants,
};

const querySchema = z.object({
  table: z.enum(
    ["daily", "usage", "cohorts", "revenue", "revenue-products", "top-products", "out-of-stock", "product", "variants"],
    "is not a table that can be exported",
  ),
  product: z.string("is missing").max(255, "is not a product id").optional(),
});

/** Exports a table of the analytics pages as CSV. @param query `table`, and the page's span and `product` */
export async function exportTable(shop: TableRequest["shop"], query: URLSearchParams): Promise<CsvFile | Failure> {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new Failure("invalid_request", `\`${issue?.path.join(".") ?? ""}\` ${issue?.message ?? ""}.`);
  }
  const { table, product = "" } = parsed.data;
  const span = spanOf(query);
  const range = await rangeOf(shop.id, span);
  if (range.problem !== undefined) return new Failure("invalid_request", range.problem);
  const file = await TABLES[table]({ shop, range, compare: span.compare, product });
  return file ?? new Failure("product_not_found", "This product does not exist. Check the product id.");
}
