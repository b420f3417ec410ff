import type { Client } from "pg";
import { copyOf, withClient } from "../data/dataset.ts";
import { say } from "../lifetime.ts";
import { perSecond } from "../measure/alternate.ts";
import { spreadOf } from "../measure/spread.ts";
import type { Bench } from "./bench.ts";
import { comparison, type Row } from "../table.ts";

/** Products of a page of the product sync, and variants of each that a page contains (app/catalog/sync.server.ts). */
const PAGE = { products: 100, variants: 10 };
const PAGES = 10;

const RECORDING = "SELECT catalog_store(p_shop_id => $1, p_products => $2::jsonb, p_seen_at => $3)";

/** The statement that stored products before changes of variants were recorded. */
const NOT_RECORDING = `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (product_id text, handle text, title text, image_url text, default_variant_id text,
                                                      updated_at timestamptz, status text, published_at timestamptz, complete boolean, variants jsonb)
  ), stored AS (
    INSERT INTO product AS t (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, seen_at, status,
                              published_at, ever_published)
    SELECT $1::bigint, product_id, handle, title, image_url, default_variant_id, updated_at, $3::timestamptz, status,
           published_at, coalesce(product_is_published(given.status, given.published_at, $3::timestamptz), false)
      FROM given ORDER BY product_id
        ON CONFLICT (shop_id, product_id) DO UPDATE
       SET handle = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.handle ELSE EXCLUDED.handle END,
           title = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.title ELSE EXCLUDED.title END,
           image_url = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.image_url ELSE EXCLUDED.image_url END,
           default_variant_id = EXCLUDED.default_variant_id, updated_at = EXCLUDED.updated_at, seen_at = EXCLUDED.seen_at,
           status = EXCLUDED.status, published_at = EXCLUDED.published_at,
           ever_published = t.ever_published OR EXCLUDED.ever_published, deleted_at = NULL
     WHERE t.seen_at <= EXCLUDED.seen_at
    RETURNING t.product_id, t.ever_published AND product_is_published(t.status, t.published_at, $3::timestamptz) IS NOT TRUE AS withdrawn
  ), variants AS MATERIALIZED (
    SELECT g.product_id, stored.withdrawn, v.*
      FROM given g JOIN stored USING (product_id)
     CROSS JOIN LATERAL jsonb_to_recordset(g.variants) AS v (variant_id text, title text, price numeric, available boolean, position integer)
  ), gone AS (
    UPDATE variant v SET deleted_at = $3::timestamptz
      FROM given g JOIN stored USING (product_id)
     WHERE v.shop_id = $1::bigint AND v.product_id = g.product_id AND g.complete AND v.deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM variants n WHERE n.variant_id = v.variant_id)
  ), counted AS (
    INSERT INTO catalog_version AS c (shop_id, version) VALUES ($1::bigint, 1)
        ON CONFLICT (shop_id) DO UPDATE SET version = c.version + 1
  )
  INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
  SELECT $1::bigint, n.variant_id, n.product_id, CASE WHEN n.withdrawn THEN coalesce(k.title, n.title) ELSE n.title END, n.price,
         n.available, n.position
    FROM variants n LEFT JOIN variant k ON n.withdrawn AND k.shop_id = $1::bigint AND k.variant_id = n.variant_id
   ORDER BY n.variant_id
      ON CONFLICT (shop_id, variant_id) DO UPDATE
     SET product_id = EXCLUDED.product_id, title = EXCLUDED.title, price = EXCLUDED.price, available = EXCLUDED.available,
         position = EXCLUDED.position, deleted_at = NULL`;

/** Measures what the recording of changes costs the database's part of a product sync in which every variant has another price. */
export async function sync({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const database = await copyOf(serverUrl, await small(), "sync");
  const variants = PAGES * PAGE.products * PAGE.variants;
  const rates: Record<"recording" | "before", number[]> = { recording: [], before: [] };
  await withClient(database.url, async (client) => {
    let price = 100;
    const rate = async (statement: string): Promise<number> => {
      await client.query("TRUNCATE variant_change");
      await client.query("VACUUM ANALYZE product, variant");
      await client.query("CHECKPOINT");
      price = price === 100 ? 90 : 100;
      return variants / (await store(client, statement, { shopId: database.shopId, price }));
    };
    const turns = options.quick ? options.rounds : 4 * options.rounds;
    // The first round stores the products, the second warms up.
    for (let turn = -1; turn <= turns; turn++) {
      const [before, recording] = [await rate(NOT_RECORDING), await rate(RECORDING)];
      if (turn <= 0) continue;
      rates.before.push(before);
      rates.recording.push(recording);
      say(`product sync, round ${turn} of ${turns}: ${perSecond(recording)}, before ${perSecond(before)}`);
    }
  });
  const work = `Storing ${variants.toLocaleString("en")} variants with changed prices, their changes recorded`;
  return [comparison(work, spreadOf(rates.recording), { name: "not recorded", measured: spreadOf(rates.before) }, 0.8)];
}

/** Stores the products page by page. @returns seconds */
async function store(
  client: Client,
  statement: string,
  { shopId, price }: { shopId: number; price: number },
): Promise<number> {
  const at = new Date();
  const pages = Array.from({ length: PAGES }, (_, page) =>
    JSON.stringify(Array.from({ length: PAGE.products }, (_, n) => product(page * PAGE.products + n, price, at))),
  );
  const started = performance.now();
  for (const page of pages) await client.query(statement, [shopId, page, at]);
  return (performance.now() - started) / 1_000;
}

/** Returns a product as the service passes it to the database. */
function product(index: number, price: number, at: Date): object {
  const id = 9_000_000_000_000 + index * 257;
  const variants = Array.from({ length: PAGE.variants }, (_, n) => ({
    variant_id: String(id * 100 + n),
    title: `Size ${n}`,
    price: `${price}.00`,
    compare_at_price: null,
    available: true,
    inventory: null,
    inventory_item_id: String(id * 100 + n),
    position: n + 1,
  }));
  return {
    product_id: String(id),
    handle: `product-${index}`,
    title: `Product ${index}`,
    image_url: "https://cdn.shopify.com/s/files/1/0000/0001/products/picture.jpg",
    default_variant_id: variants[0]?.variant_id,
    updated_at: at.toISOString(),
    status: "ACTIVE",
    published_at: "2026-01-01T00:00:00Z",
    complete: true,
    variants,
  };
}
