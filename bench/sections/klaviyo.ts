import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createDevstore } from "../../packages/devstore/devstore.ts";
import { emitPriceAlerts } from "../../tests/support/app/emails.ts";
import { merchant } from "../../tests/support/app/merchant.ts";
import { copyOf, withClient, DOMAIN } from "../data/dataset.ts";
import { deleteDeliveries, deliveryTime, wakeChannel } from "../data/deliveries.ts";
import { onEnd, say } from "../lifetime.ts";
import { perSecond } from "../measure/alternate.ts";
import { processorTime } from "../measure/process.ts";
import { spreadOf } from "../measure/spread.ts";
import { startService } from "../servers.ts";
import { rate, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";
import { connectStore } from "./price-change.ts";

const MIN_PER_SECOND = 5_000;
/** Alerts of a customer, whose address is read once. */
const ALERTS = 10;

/**
 * Measures events that are sent to Klaviyo in bulk and recorded. The devstore stands for Klaviyo: it validates each event and refuses what is above the
 * published rates. A round is shorter than the minute for which these allow 150 requests.
 */
export async function klaviyo({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "klaviyo");
  provideSettings({ DATABASE_URL: dataset.url, NODE_ENV: "test" });
  const devstore = await createDevstore({ developmentStore: false, restoreRate: 1_000_000, plan: "Growth" });
  onEnd(() => devstore.close());
  const store = devstore.store(DOMAIN);
  store.installation.scopes.push("read_customers");
  const service = await startService(dataset, { ...options, settings: { ...devstore.env, NODE_ENV: "test" } });
  await connectStore(devstore, service, dataset);
  const staff = merchant(service, { sessionToken: (sub = "4711") => devstore.sessionToken(DOMAIN, { sub }) });
  await staff.send("/app/alerts/klaviyo", { intent: "connect", key: devstore.klaviyo.key });

  const count = options.quick ? 1_000 : 10_000;
  const customers = Array.from({ length: count / ALERTS }, (_, n) => String(8_000_000_000_000 + n));
  store.customers.add(
    ...customers.map((id, n) => ({ id, firstName: "Customer", lastName: String(n), email: `c${n}@example.com` })),
  );
  const rates: number[] = [];
  const processor: number[] = [];
  // The first round is a warm-up.
  for (let turn = 0; turn <= options.rounds; turn++) {
    await deleteDeliveries(dataset);
    await withClient(dataset.url, async (client) => {
      await emitPriceAlerts((sql, values) => client.query(sql, values), dataset.shopId, customers, ALERTS);
    });
    devstore.klaviyo.clear();
    const before = await processorTime(service.pid);
    const figure = count / (await deliveryTime(dataset, count, await wakeChannel(dataset, "klaviyo")));
    const used = ((((await processorTime(service.pid)) ?? NaN) - (before ?? NaN)) * 1_000) / count;
    const requests = devstore.klaviyo.requests();
    const refused = requests.filter(({ status }) => status !== 202).length;
    if (refused > 0) throw new Error(`Klaviyo refused ${refused} of ${requests.length} requests`);
    if (turn > 0) {
      rates.push(figure);
      processor.push(used);
    }
    say(
      `Klaviyo, round ${turn} of ${options.rounds}: ${perSecond(figure)} in ${requests.length} requests, CPU of the service ${used.toFixed(0)} µs an event`,
    );
  }
  const measured = spreadOf(rates);
  return [
    {
      work: `Klaviyo, ${count.toLocaleString("en")} events of a shop in bulk requests within the published rates, every attempt recorded`,
      figure: rate(measured),
      against: `CPU of the service ${spreadOf(processor).median.toFixed(0)} µs an event`,
      ratio: "",
      required: `≥ ${perSecond(MIN_PER_SECOND)}`,
      passed: measured.median >= MIN_PER_SECOND,
    },
  ];
}
