import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { exampleMessage } from "../../app/email/index.server.ts";
import type { EmailSettings } from "../../app/email/settings.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createDevstore } from "../../packages/devstore/devstore.ts";
import { EMAIL_FORM, emitPriceAlerts } from "../../tests/support/app/emails.ts";
import { merchant } from "../../tests/support/app/merchant.ts";
import { copyOf, withClient, DOMAIN } from "../data/dataset.ts";
import { deleteDeliveries, deliveryTime, wakeChannel } from "../data/deliveries.ts";
import { onEnd, runOrThrow, say } from "../lifetime.ts";
import { perSecond } from "../measure/alternate.ts";
import { processorTime } from "../measure/process.ts";
import { spreadOf } from "../measure/spread.ts";
import { startMailServer, startService } from "../servers.ts";
import { rate, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";
import { connectStore } from "./price-change.ts";

/** The most time that a recorded message may take, in times of a bare one. */
const MAX_RATIO = 1.5;
const BARE_LOOP = fileURLToPath(new URL("../bare-mail-loop.ts", import.meta.url));

const own = { subject: "", introduction: "" };
/** Those of the shop, as far as they decide what a message looks like. */
const SETTINGS: EmailSettings = {
  ...EMAIL_FORM,
  kinds: ["price_dropped"],
  logoUrl: null,
  weeklyLimit: 50,
  texts: { price_dropped: own, back_in_stock: own, low_stock: own, reminder_due: own },
  version: 0,
};

/** Measures emails that are handed to a mail server on this machine and recorded, against a loop that records nothing. */
export async function emails({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "emails");
  provideSettings({ DATABASE_URL: dataset.url, NODE_ENV: "test" });
  const devstore = await createDevstore({ developmentStore: false, restoreRate: 1_000_000, plan: "Growth" });
  onEnd(() => devstore.close());
  const mail = await startMailServer();
  const settings = { ...devstore.env, NODE_ENV: "test", SMTP_URL: mail.smtpUrl, MAIL_FROM: "bench@mail.example" };
  const store = devstore.store(DOMAIN);
  store.installation.scopes.push("read_customers");
  const service = await startService(dataset, { ...options, settings });
  await connectStore(devstore, service, dataset);
  const staff = merchant(service, { sessionToken: (sub = "4711") => devstore.sessionToken(DOMAIN, { sub }) });
  // More emails a week than there are rounds.
  const form = { ...EMAIL_FORM, kinds: ["price_dropped"], weeklyLimit: "50", intent: "save" };
  await staff.send("/app/alerts/email", form);

  const count = options.quick ? 200 : 2_000;
  const customers = Array.from({ length: count }, (_, n) => String(8_000_000_000_000 + n));
  store.customers.add(
    ...customers.map((id, n) => ({ id, firstName: "Customer", lastName: String(n), email: `c${n}@example.com` })),
  );
  const folder = await mkdtemp(path.join(tmpdir(), "bench-emails-"));
  onEnd(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "message.json");
  await writeFile(file, JSON.stringify(exampleMessage(SETTINGS, "price_dropped", "en", null)));

  const once = {
    async recorded(): Promise<number> {
      await deleteDeliveries(dataset);
      await withClient(dataset.url, async (client) => {
        await emitPriceAlerts((sql, values) => client.query(sql, values), dataset.shopId, customers);
      });
      // To create the alerts is no part of sending them.
      return deliveryTime(dataset, count, await wakeChannel(dataset, "email"));
    },
    bare: async () => Number(await runOrThrow(process.execPath, [BARE_LOOP, mail.smtpUrl, String(count), file])),
  };
  const rates: Record<keyof typeof once, number[]> = { recorded: [], bare: [] };
  // The first round is a warm-up.
  for (let turn = 0; turn <= options.rounds; turn++) {
    for (const name of ["recorded", "bare"] as const) {
      const before = await processorTime(service.pid);
      const figure = count / (await once[name]());
      const processor = (((await processorTime(service.pid)) ?? NaN) - (before ?? NaN)) / count;
      await fetch(mail.url, { method: "DELETE" });
      if (turn > 0) rates[name].push(figure);
      const used = name === "recorded" ? `, CPU of the service ${processor.toFixed(2)} ms an email` : "";
      say(`emails ${name}, round ${turn} of ${options.rounds}: ${perSecond(figure)}${used}`);
    }
  }
  const ratios = spreadOf(rates.bare.map((bare, round) => bare / (rates.recorded[round] ?? NaN)));
  return [
    {
      work: `Emails, ${count.toLocaleString("en")} messages of a shop to a local mail server, every attempt recorded`,
      figure: rate(spreadOf(rates.recorded)),
      against: `nodemailer's loop ${rate(spreadOf(rates.bare))}`,
      ratio: `${ratios.median.toFixed(2)} × the time`,
      required: `≤ ${MAX_RATIO} ×`,
      passed: ratios.median <= MAX_RATIO,
    },
  ];
}
