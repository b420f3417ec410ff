import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createDevstore } from "../../packages/devstore/devstore.ts";
import { EMAIL_FORM, emitPriceAlerts } from "../../tests/support/app/emails.ts";
import { merchant } from "../../tests/support/app/merchant.ts";
import { copyOf, provideShop, withClient, DOMAIN } from "../data/dataset.ts";
import { wakeChannel } from "../data/deliveries.ts";
import { onEnd, say } from "../lifetime.ts";
import { percentile, spreadOf, type Spread } from "../measure/spread.ts";
import { exchange, startMailServer, startReceiver, startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import { delaysOfOtherShop } from "../webhooks/delays.ts";
import { resetReceiver } from "../webhooks/receiver.ts";
import { subscribe } from "../webhooks/subscriptions.ts";
import type { Bench } from "./bench.ts";
import { connectStore } from "./price-change.ts";

const MAX_RATIO = 1.2;
const PER_SECOND = 50;
const OTHER = "/other";
/** Milliseconds that the mail server takes for each message. */
const SLOW_MS = 200;
/** Customers per statement. */
const CHUNK = 5_000;

/** Measures the delay of another shop's webhooks while a shop has a hundred thousand emails for a slow mail server. */
export async function besideEmails({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "beside_emails");
  const other = await provideShop(dataset.url, "other.myshopify.com");
  provideSettings({ DATABASE_URL: dataset.url, NODE_ENV: "test" });
  const devstore = await createDevstore({ developmentStore: false, restoreRate: 1_000_000, plan: "Growth" });
  onEnd(() => devstore.close());
  const mail = await startMailServer();
  const service = await startService(dataset, {
    ...options,
    settings: {
      ...devstore.env,
      ...{ NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", SMTP_URL: mail.smtpUrl, MAIL_FROM: "bench@mail.example" },
    },
  });
  const store = devstore.store(DOMAIN);
  store.installation.scopes.push("read_customers");
  await connectStore(devstore, service, dataset);
  const staff = merchant(service, { sessionToken: (sub = "4711") => devstore.sessionToken(DOMAIN, { sub }) });
  await staff.send("/app/alerts/email", { ...EMAIL_FORM, kinds: ["price_dropped"], weeklyLimit: "50", intent: "save" });
  const receiver = await startReceiver();
  const otherService = { ...service, token: await exchange(service.url, other.key) };
  await subscribe(otherService, receiver.url + OTHER, ["wishlist.item.added"]);

  const count = options.quick ? CHUNK : 100_000;
  const customers = Array.from({ length: count }, (_, n) => String(8_000_000_000_000 + n));
  for (const [n, id] of customers.entries())
    store.customers.add({ id, firstName: "Customer", lastName: String(n), email: `c${n}@example.com` });
  await fetch(`${mail.url}?delay=${SLOW_MS}`, { method: "DELETE" });
  const seconds = options.quick ? 3 : 10;
  const p95s: Record<"idle" | "sending", number[]> = { idle: [], sending: [] };
  await withClient(dataset.url, async (client) => {
    for (let from = 0; from < count; from += CHUNK)
      await emitPriceAlerts(
        (sql, values) => client.query(sql, values),
        dataset.shopId,
        customers.slice(from, from + CHUNK),
      );
    await pauseEmails(client, dataset.shopId, true);
    // The first round is a warm-up.
    for (let turn = 0; turn <= options.rounds; turn++) {
      for (const name of ["idle", "sending"] as const) {
        if (name === "sending") {
          await pauseEmails(client, dataset.shopId, false);
          await wakeChannel(dataset, "email");
        }
        await pause(1_000);
        const p95 = percentile(
          await delaysOfOtherShop(otherService, receiver, { watched: [OTHER], perSecond: PER_SECOND, seconds }),
          0.95,
        );
        if (name === "sending") await pauseEmails(client, dataset.shopId, true);
        if (turn > 0) p95s[name].push(p95);
        say(`webhooks of another shop, round ${turn} of ${options.rounds}, emails ${name}: p95 ${milliseconds(p95)}`);
        await pause(1_000);
        await resetReceiver(receiver);
      }
    }
    const { rows } = await client.query<{ sent: number; pending: number }>(
      `SELECT (count(*) FILTER (WHERE status = 'succeeded'))::int AS sent, (count(*) FILTER (WHERE status = 'pending'))::int AS pending
         FROM webhook_delivery WHERE shop_id = $1 AND endpoint_id = 'email'`,
      [dataset.shopId],
    );
    const [{ sent, pending } = { sent: 0, pending: 0 }] = rows;
    if (sent === 0 || pending === 0) throw new Error(`${sent} emails were sent and ${pending} waited at the end`);
    say(`${sent} emails were sent meanwhile`);
  });
  const [idle, sending] = [spreadOf(p95s.idle), spreadOf(p95s.sending)];
  const range = ({ median, min, max }: Spread): string =>
    `${milliseconds(median)} (${min.toFixed(1)}–${max.toFixed(1)})`;
  return [
    {
      work: `p95 of another shop's webhooks beside a shop that sends ${count.toLocaleString("en")} emails to a slow mail server`,
      figure: range(sending),
      against: `without ${range(idle)}`,
      ratio: `${(sending.median / idle.median).toFixed(2)} ×`,
      required: `≤ ${MAX_RATIO} ×`,
      passed: sending.median <= idle.median * MAX_RATIO,
    },
  ];
}

/** Makes the deliveries of the channel wait, or not. */
async function pauseEmails(client: Client, shopId: number, isPaused: boolean): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoint
        SET disabled_at = CASE WHEN $2 THEN now() END, disabled_reason = CASE WHEN $2 THEN 'paused' END,
            due_at = CASE WHEN $2 THEN due_at ELSE now() END
      WHERE shop_id = $1 AND id = 'email'`,
    [shopId, isPaused],
  );
}
