import { priceDropDemand } from "../alerts/index.server.ts";
import { csvTable } from "../platform/text/csv.ts";
import { fileNameOfToday, type CsvFile } from "./csv-file.server.ts";
import { findProduct } from "./products.server.ts";

const HEAD = [
  ...["Variant id", "Variant", "Price", "Lower price", "Currency", "Price drop in percent", "Customers"],
  "Asked for alerts",
];

/**
 * Exports how many customers lower prices of a product's variants would reach, as CSV.
 * @returns the file, the product's title and the number of rows in it; undefined when the shop has never had the product
 */
export async function demandCsv(
  shop: { id: number; domain: string; timeZone: string; currency: string | null },
  productId: string,
): Promise<{ file: CsvFile; title: string; count: number } | undefined> {
  const product = await findProduct(shop.id, productId);
  if (!product) return undefined;
  const { variants } = await priceDropDemand(shop.id, productId);
  const rows = variants.flatMap(({ variantId, title, price, points }) =>
    points.map((point) => [
      ...[variantId, title, price, point.price, shop.currency, point.percent, point.customers, point.consented],
    ]),
  );
  const file = { name: fileNameOfToday(shop, "demand", productId), text: csvTable(HEAD, rows) };
  return { file, title: product.title ?? `product ${productId}`, count: rows.length };
}
