// @module-tag matrix

import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startBalancer, type Balancer } from "../support/http/balancer.ts";
import { until } from "../support/until.ts";

const CLIENTS = 4;
/** Milliseconds between two requests of a client. */
const PAUSE_MS = 10;
/** Items after which a client goes on with another customer: far fewer than a list may hold. */
const ITEMS_PER_CUSTOMER = 200;

let database: TestDatabase;
let balancer: Balancer;
let services: Service[];
let shop: TestShop;

// The delay is longer than the balancer needs to notice that a process is not ready.
const start = (): Promise<Service> => startService({ database, env: { SHUTDOWN_DELAY_SECONDS: "1" } });

beforeAll(async () => {
  database = await createDatabase();
  balancer = await startBalancer();
  services = await Promise.all([start(), start()]);
  for (const { url } of services) balancer.add(url);
  const [first] = services;
  if (!first) throw new Error("no service");
  shop = await makeShop(first, client(first.url));
});
afterAll(async () => {
  await balancer.close();
  await Promise.all(services.map((service) => service.stop("SIGKILL")));
  await closeDatabase();
  await database.drop();
});

/** Sends requests one after the other on one connection until `isOver`. @returns the stored products and the failures */
async function load(index: number, isOver: () => boolean): Promise<{ added: string[]; failures: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [added, failures]: [string[], string[]] = [[], []];
  for (let n = 0; !isOver(); n++) {
    await pause(PAUSE_MS);
    const customer = `customer-${index}-${Math.floor(n / ITEMS_PER_CUSTOMER)}`;
    const product = `p-${index}-${n}`;
    try {
      const outgoing = request(new URL(`/v1/wishlists/${customer}/items`, balancer.url), {
        method: "POST",
        agent,
        headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
      });
      outgoing.end(JSON.stringify({ product_id: product, variant_id: "v" }));
      const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
        outgoing.once("error", reject);
        outgoing.once("response", (response) => {
          text(response).then((content) => {
            resolve([response.statusCode ?? 0, content]);
          }, reject);
        });
      });
      if (status === 200) added.push(product);
      else failures.push(`${status} ${body}`);
    } catch (error) {
      failures.push(String(error));
    }
  }
  agent.destroy();
  return { added, failures };
}

test("a rolling restart of all processes behind a balancer fails no request", async () => {
  let isOver = false;
  await until("both processes to be ready", () => balancer.ready().length === 2);
  const clients = Array.from({ length: CLIENTS }, (_, index) => load(index, () => isOver));
  for (const old of [...services]) {
    expect(await old.stop()).toBe(0);
    const next = await start();
    services.push(next);
    balancer.add(next.url);
    await until("the new process to get requests", () => balancer.ready().includes(next.url));
  }
  isOver = true;
  const outcomes = await Promise.all(clients);
  expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  const stored = await database.rows<{ product_id: string }>("SELECT product_id FROM wishlist_item");
  expect(stored.map(({ product_id }) => product_id).sort()).toEqual(outcomes.flatMap(({ added }) => added).sort());
  expect(await disagreements(database)).toEqual([]);
});
