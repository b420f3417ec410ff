import { startCluster } from "../../tests/citus/cluster.ts";
import { joinNodes, onEach } from "../../tests/support/database/servers.ts";
import { distribute } from "../../server/distribution/distribute.ts";
import { adder, reader } from "../contenders.ts";
import { provideDataset, type Dataset } from "../data/dataset.ts";
import { removeNewItems } from "../data/new-items.ts";
import { pageCustomers, SMALL } from "../data/shape.ts";
import { onEnd } from "../lifetime.ts";
import { alternate } from "../measure/alternate.ts";
import { startService } from "../servers.ts";
import { comparison, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

/** Compares a Citus cluster of a coordinator and two workers with one server of the same PostgreSQL, all on this machine. */
export async function citus({ options, generator }: Bench): Promise<Row[]> {
  const cluster = await startCluster();
  onEnd(cluster.stop);
  const lone = await startCluster(0);
  onEnd(lone.stop);
  const provide = async ({ urls: [url = ""] }: typeof lone): Promise<Dataset> => provideDataset(url, SMALL);
  const one = await provide(lone);
  const many = await provide(cluster);
  const name = new URL(many.url).pathname.slice(1);
  await onEach(cluster.urls.slice(1), `CREATE DATABASE ${name}`);
  await joinNodes(cluster.urls, name);
  await distribute(many.url, { shards: undefined, onStep: () => undefined });

  // Without the outbox processor, like the sections `get` and `add`.
  const settings = { ...options, settings: { WISHLIST_ROLE: "web" } };
  const onMany = await startService(many, settings);
  const onOne = await startService(one, settings);
  const readers = [
    await reader("on Citus", onMany, pageCustomers(SMALL)),
    await reader("on PostgreSQL", onOne, pageCustomers(SMALL)),
  ] as const;
  const [readMany, readOne] = await alternate(generator, "GET page", readers, options);
  for (const dataset of [one, many]) await removeNewItems(dataset);
  const adders = [adder("on Citus", onMany, many), adder("on PostgreSQL", onOne, one)] as const;
  const [addMany, addOne] = await alternate(generator, "POST add", adders, options);
  return [
    comparison("GET page of 20 out of 50, on Citus", readMany, { name: "on one PostgreSQL", measured: readOne }, 0.3),
    comparison("POST add, new item, on Citus", addMany, { name: "on one PostgreSQL", measured: addOne }, 0.2),
  ];
}
