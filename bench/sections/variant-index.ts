import { adder } from "../contenders.ts";
import { copyOf, withClient } from "../data/dataset.ts";
import { alternate } from "../measure/alternate.ts";
import type { Bench } from "./bench.ts";
import { startService } from "../servers.ts";
import { comparison, type Row } from "../table.ts";

/** Measures what the index that finds a variant's owners costs an addition. */
export async function variantIndex({ options, generator, serverUrl, main }: Bench): Promise<Row[]> {
  const original = await main();
  const indexed = await copyOf(serverUrl, original, "indexed");
  const plain = await copyOf(serverUrl, original, "plain");
  await withClient(plain.url, (client) => client.query("DROP INDEX wishlist_item_variant"));
  // Without the outbox processor, like the section `add`.
  const settings = { ...options, settings: { WISHLIST_ROLE: "web" } };
  const contenders = [
    adder("with the index", await startService(indexed, settings), indexed),
    adder("without", await startService(plain, settings), plain),
  ] as const;
  const [a, b] = await alternate(generator, "POST add and the index of variants", contenders, options);
  return [
    comparison("POST add, new item, with the index of owners by variant", a, { name: "without it", measured: b }, 0.97),
  ];
}
