export interface ProductOption {
  name: string;
  values: string[];
}

const SIZES = /^(?:XS|S|M|L|XL|S\/M|M\/L|L\/XL|EU \d+|\d+-\d+|1(?:04|16|28|40))$/;
const AMOUNTS = /^[\d.x -]+ ?(?:ml|l|L|cm|m|mm|g|kg)$/;
const COUNTS = /^\d+ (?:person|pegs)$/;
const FITS = /^(?:Regular|Long|Wide)$/;

/** Guesses the option's name from a value: the seed has no names. */
function nameOf(value: string): string {
  if (value === "Default Title") return "Title";
  if (SIZES.test(value) || AMOUNTS.test(value) || /^A\d$/.test(value)) return "Size";
  if (COUNTS.test(value)) return value.endsWith("pegs") ? "Pack" : "Capacity";
  if (FITS.test(value)) return "Length";
  if (value.endsWith(" zip")) return "Zip";
  if (value.endsWith(" maps")) return "Maps";
  return "Colour";
}

/** Returns a product's options. @param titles of its variants, with the values joined by " / " as in Shopify */
export function optionsOf(titles: readonly string[]): ProductOption[] {
  const rows = titles.map((title) => title.split(" / "));
  return (rows[0] ?? []).map((value, index) => ({
    name: nameOf(value),
    values: [...new Set(rows.map((row) => row[index] ?? ""))],
  }));
}
