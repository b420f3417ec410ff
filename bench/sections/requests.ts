import { randomBytes } from "node:crypto";
import { adder, assertSameResponses, reader, removers } from "../contenders.ts";
import { DOMAIN } from "../data/dataset.ts";
import { removeNewItems } from "../data/new-items.ts";
import { longCustomers, pageCustomers } from "../data/shape.ts";
import { alternate } from "../measure/alternate.ts";
import { startBare, startService } from "../servers.ts";
import { comparison, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

export async function page(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, options);
  const rows = await startBare("rows", main);
  const json = await startBare("json", main);
  const customers = pageCustomers(main.shape);
  await assertSameResponses([service, rows, json], customers);
  const contenders = [
    await reader("this service", service, customers),
    await reader("bare-rows", rows, customers),
    await reader("bare-json", json, customers),
  ] as const;
  const [a, b, c] = await alternate(generator, "GET page", contenders, options);
  const work = "GET page of 20 out of 50, authenticated";
  return [
    comparison(work, a, { name: "bare-rows", measured: b }, 1.5),
    comparison(work, a, { name: "bare-json", measured: c }, 0.75),
  ];
}

export async function long(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, options);
  const customers = longCustomers(main.shape);
  const contenders = [
    await reader("2,500 items", service, customers),
    await reader("50 items", service, pageCustomers(main.shape).slice(0, customers.length)),
  ] as const;
  const [a, b] = await alternate(generator, "GET of a long wishlist", contenders, options);
  return [comparison("GET first page of a 2,500-item wishlist", a, { name: "of a 50-item one", measured: b }, 0.9)];
}

export async function size(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const other = await bench.small();
  const inMain = await startService(main, options);
  const inSmall = await startService(other, options);
  const [big, little] = [main, other].map(({ shape }) => `${shape.items.toLocaleString("en")} items`) as [
    string,
    string,
  ];
  const contenders = [
    await reader(big, inMain, pageCustomers(main.shape)),
    await reader(little, inSmall, pageCustomers(other.shape)),
  ] as const;
  const [a, b] = await alternate(generator, "GET by size of the table", contenders, options);
  return [comparison(`GET page of 20 out of 50, ${big} in the table`, a, { name: little, measured: b }, 0.9)];
}

/** Measures lists through a store's app proxy: verifying the signature, reading the body, rate limit by address. */
export async function proxy(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const secret = randomBytes(24).toString("hex");
  const settings = {
    SHOPIFY_API_KEY: "bench",
    SHOPIFY_API_SECRET: secret,
    SHOPIFY_APP_URL: "https://wishlist.example.com",
  };
  const service = await startService(main, { ...options, settings });
  const bare = await startBare("rows", main);
  const customers = pageCustomers(main.shape);
  const contenders = [
    await reader("this service", service, customers, { shop: DOMAIN, secret }),
    await reader("bare-rows", bare, customers),
  ] as const;
  const [a, b] = await alternate(generator, "POST app proxy list", contenders, options);
  return [comparison("app-proxy JSON of 20 out of 50, signed", a, { name: "bare-rows' page", measured: b }, 1)];
}

/** Without the outbox processor, which the bare server does not have and which has its own section. */
const REQUESTS_ONLY = { WISHLIST_ROLE: "web" };

export async function add(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, { ...options, settings: REQUESTS_ONLY });
  const bare = await startBare("json", main);
  await removeNewItems(main);
  const contenders = [adder("this service", service, main), adder("bare", bare, main)] as const;
  const [a, b] = await alternate(generator, "POST add", contenders, options);
  return [comparison("POST add, new item", a, { name: "bare server, same SQL function", measured: b }, 0.8)];
}

export async function remove(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, { ...options, settings: REQUESTS_ONLY });
  const bare = await startBare("json", main);
  const remover = removers(main);
  const contenders = [remover("this service", service), remover("bare", bare)] as const;
  const [a, b] = await alternate(generator, "DELETE", contenders, options);
  return [comparison("DELETE, existing item", a, { name: "bare server, same SQL function", measured: b }, 0.8)];
}
