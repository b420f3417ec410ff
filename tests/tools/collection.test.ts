import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startDemoService, type DemoService } from "../support/app/demo-service.ts";
import { ORIGIN, publishKey } from "../support/app/shop.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { inTools } from "./folder.ts";

const run = promisify(execFile);

const collectionSchema = z.looseObject({
  variable: z.array(z.object({ key: z.string(), value: z.string() })),
  item: z.array(z.looseObject({ name: z.string(), item: z.array(z.looseObject({ name: z.string() })) })),
});

/** What Newman reports of a run. */
const reportSchema = z.object({
  run: z.object({
    executions: z.array(
      z.object({
        item: z.object({ name: z.string() }),
        response: z.object({ code: z.number(), stream: z.object({ data: z.array(z.number()) }).optional() }).optional(),
      }),
    ),
    failures: z.array(z.object({ error: z.object({ message: z.string() }) })),
  }),
});
type Run = z.infer<typeof reportSchema>["run"];

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
async function runCollection(values: Readonly<Record<string, string>>): Promise<Run> {
  const file = new URL("../../app/surfaces/v1/documentation/collection.json", import.meta.url);
  const collection = collectionSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const unknown = Object.keys(values).filter((key) => !collection.variable.some((variable) => variable.key === key));
  expect(unknown).toEqual([]);
  const variable = collection.variable.map(({ key, value }) => ({ key, value: values[key] ?? value }));
  const item = collection.item.map((folder) => ({
    ...folder,
    item: folder.item.filter(({ name }) => NOT_SENT[name] === undefined),
  }));
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-collection-"));
  const [sent, report] = [path.join(folder, "collection.json"), path.join(folder, "report.json")];
  try {
    await writeFile(sent, JSON.stringify({ ...collection, variable, item }));
    const newman = [inTools("node_modules/newman/bin/newman.js"), "run", sent, "--suppress-exit-code"];
    await run(process.execPath, [...newman, "--reporters", "json", "--reporter-json-export", report]);
    return reportSchema.parse(JSON.parse(await readFile(report, "utf8"))).run;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("every request of the collection succeeds when they are sent from top to bottom", async () => {
  const { demo } = running;
  const { executions, failures } = await runCollection({
    baseUrl: demo.apiUrl,
    apiKey: demo.apiKey,
    apiSecret: demo.apiSecret,
    publishableKey: await publishKey(demo),
    origin: ORIGIN,
    webhookUrl: receiver.url,
  });
  expect(executions.length).toBeGreaterThan(40);
  const refused = executions
    .filter(({ response }) => response === undefined || response.code < 200 || response.code >= 300)
    .map(({ item, response }) => {
      const body = Buffer.from(response?.stream?.data ?? []).toString();
      return `${item.name}: ${response?.code ?? "no response"} ${body}`;
    });
  expect(refused).toEqual([]);
  expect(failures).toEqual([]);
});
