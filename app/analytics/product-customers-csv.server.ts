import { namesInBatches, type CustomerAccess } from "../customers/index.server.ts";
import { csvTable } from "../platform/text/csv.ts";
import { customersOfProduct } from "../wishlists/index.server.ts";
import { fileNameOfToday, type CsvFile } from "./csv-file.server.ts";
import { findProduct } from "./products.server.ts";

/** Saves in a file, which bounds the queries for names to 50. */
const EXPORTED = 2_500;

const HEAD = [
  ...["Customer id", "Customer", "Email", "List", "Variant id", "Variant", "Quantity", "Saved at"],
  ...["Price when saved", "Currency", "Asked for alerts"],
];

/**
 * Exports the customers who have a product in a list as CSV, newest save first, at most 2,500 saves. Names and email addresses are read from Shopify, where the
 * merchant lets the app show them.
 * @returns the file, the product's title and the number of saves in it; undefined when the shop has never had the product
 */
export async function productCustomersCsv(
  shop: { id: number; domain: string; timeZone: string; currency: string | null },
  access: CustomerAccess,
  productId: string,
): Promise<{ file: CsvFile; title: string; count: number } | undefined> {
  const product = await findProduct(shop.id, productId);
  if (!product) return undefined;
  const { listed } = await customersOfProduct(shop.id, productId, { limit: EXPORTED, offset: 0 });
  const names = await namesInBatches(
    access,
    listed.map(({ customerId }) => customerId),
  );
  const rows = listed.map((row) => {
    const { name = "", email = "" } = names.get(row.customerId) ?? {};
    // The name of a customer without one is the address.
    const address = email === "" && name.includes("@") ? name : email;
    return [
      ...[row.customerId, name, address, row.listName, row.variantId, row.variantTitle, row.quantity],
      ...[row.savedAt.toISOString(), row.savedPrice, row.savedPrice && shop.currency, row.alerts.join(", ")],
    ];
  });
  const file = { name: fileNameOfToday(shop, "customers", productId), text: csvTable(HEAD, rows) };
  return { file, title: product.title ?? `product ${productId}`, count: rows.length };
}
