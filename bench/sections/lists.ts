import { adder, assertSameResponses, reader } from "../contenders.ts";
import { describeLongWishlists } from "../data/details.ts";
import { copyOf } from "../data/dataset.ts";
import { removeNewItems } from "../data/new-items.ts";
import { pageCustomers } from "../data/shape.ts";
import { BATCH } from "../load/workload.ts";
import { alternate } from "../measure/alternate.ts";
import { startBare, startService } from "../servers.ts";
import { comparison, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

/** Offsets of pages of 20 in wishlists of 50 items. */
const OFFSETS = [0, 10, 20, 30];

/** Measures pages that are not in memory: more different pages, read in turn, than the service keeps. */
export async function first(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, options);
  const rows = await startBare("rows", main);
  const json = await startBare("json", main);
  const customers = pageCustomers(main.shape);
  const pages = OFFSETS.flatMap((offset) => customers.map((customer) => `${customer}?limit=20&offset=${offset}`));
  await assertSameResponses([service, rows, json], pages);
  const contenders = [
    await reader("this service", service, pages),
    await reader("bare-rows", rows, pages),
    await reader("bare-json", json, pages),
  ] as const;
  const [a, b, c] = await alternate(generator, "GET page for the first time", contenders, options);
  const work = "GET page of 20 that is not in memory";
  return [
    comparison(work, a, { name: "bare-rows", measured: b }, 1.5),
    comparison(work, a, { name: "bare-json", measured: c }, 1),
  ];
}

/** Measures pages with details and the data of products against plain pages. */
export async function details(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const described = await copyOf(bench.serverUrl, await bench.main(), "details");
  const customers = await describeLongWishlists(described);
  const service = await startService(described, options);
  const plain = pageCustomers(described.shape).slice(0, customers.length);
  const contenders = [
    await reader(
      "with details and products",
      service,
      customers.map((customer) => `${customer}?limit=20&expand=product`),
    ),
    await reader("with details", service, customers),
    await reader("plain", service, plain),
  ] as const;
  const [a, b, c] = await alternate(generator, "GET page with details", contenders, options);
  return [
    comparison("GET page of 20 with quantity, note and product", a, { name: "plain page", measured: c }, 0.6),
    comparison("GET page of 20 with quantity and note", b, { name: "plain page", measured: c }, 0.9),
  ];
}

/** Without the outbox processor, as in the section of single additions. */
const REQUESTS_ONLY = { WISHLIST_ROLE: "web" };

/** Measures batches of additions against single ones, by items. */
export async function batch(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, { ...options, settings: REQUESTS_ONLY });
  await removeNewItems(main);
  const contenders = [adder("batches", service, main, "batch"), adder("single", service, main)] as const;
  const [a, b] = await alternate(generator, `POST batch of ${BATCH}`, contenders, options);
  await removeNewItems(main);
  const items = { ...a, median: a.median * BATCH, min: a.min * BATCH, max: a.max * BATCH };
  return [comparison(`items added in batches of ${BATCH}`, items, { name: "single additions", measured: b }, 20)];
}
