import { readFile } from "node:fs/promises";
import newman, { type NewmanRunSummary } from "newman";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startDemoService, type DemoService } from "../support/app/demo-service.ts";
import { ORIGIN, publishKey } from "../support/app/shop.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";

const collectionSchema = z.looseObject({
  variable: z.array(z.object({ key: z.string(), value: z.string() })),
  item: z.array(z.looseObject({ name: z.string(), item: z.array(z.looseObject({ name: z.string() })) })),
});

/** Requests that are not sent, and why. */
const NOT_SENT: Readonly<Record<string, string>> = {
  "Receive changes as they are made": "the stream stays open, and a runner waits for the end of each response",
  "Exchange Shopify's session token for a customer's token": "only Shopify makes the session token of an extension",
};

let running: DemoService;
let receiver: Receiver;
beforeAll(async () => {
  running = await startDemoService();
  receiver = await startReceiver();
});
afterAll(async () => {
  await running.dispose();
  await receiver.close();
});

/** Runs the collection as a user does who fills in the first variables and sends every request from top to bottom. */
async function runCollection(values: Readonly<Record<string, string>>): Promise<NewmanRunSummary> {
  const file = new URL("../../app/routes/v1.docs/collection.json", import.meta.url);
  const collection = collectionSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const unknown = Object.keys(values).filter((key) => !collection.variable.some((variable) => variable.key === key));
  expect(unknown).toEqual([]);
  const variable = collection.variable.map(({ key, value }) => ({ key, value: values[key] ?? value }));
  const item = collection.item.map((folder) => ({
    ...folder,
    item: folder.item.filter(({ name }) => NOT_SENT[name] === undefined),
  }));
  return new Promise((resolve, reject) => {
    newman.run({ collection: { ...collection, variable, item } }, (error, summary) => {
      if (error) reject(error);
      else resolve(summary);
    });
  });
}

test("every request of the collection succeeds when they are sent from top to bottom", async () => {
  const { demo } = running;
  const { run } = await runCollection({
    baseUrl: demo.apiUrl,
    apiKey: demo.apiKey,
    apiSecret: demo.apiSecret,
    publishableKey: await publishKey(demo),
    origin: ORIGIN,
    webhookUrl: receiver.url,
  });
  const refused = run.executions
    .filter(({ response }) => !(response.code >= 200 && response.code < 300))
    .map(({ item, response }) => `${item.name}: ${response.code} ${response.text() ?? ""}`);
  expect(refused).toEqual([]);
  expect(run.failures).toEqual([]);
});
