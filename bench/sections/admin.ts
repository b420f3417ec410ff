import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Client } from "undici";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createDevstore } from "../../packages/devstore/devstore.ts";
import { openBrowser, vitalsOf, type Vitals } from "../admin/vitals.ts";
import { SAMPLE_WEBHOOK_ID, adminContent, findSampleIds, summarizeLists, type SampleIds } from "../data/admin.ts";
import { DOMAIN, provideDatabase } from "../data/dataset.ts";
import { SAMPLE_PRODUCT_ID } from "../data/history.ts";
import { onEnd, isEnding, say } from "../lifetime.ts";
import { spreadOf } from "../measure/spread.ts";
import { freePort } from "../../tests/support/http/ports.ts";
import { startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const ADMIN = `https://admin.shopify.com/store/${DOMAIN.replace(".myshopify.com", "")}/apps/headless-wishlist`;

const MAX_SERVER_MS = 100;
const MAX = { lcp: 2_000, cls: 0.05, inp: 150 };

/** Returns the addresses of all pages of the admin. */
function pages({ keyId, wishlistId, deliveryId, momentId }: SampleIds): string[] {
  return [
    "/app",
    "/app/analytics",
    "/app/analytics?period=365&compare=1",
    "/app/analytics/products",
    `/app/analytics/products/${SAMPLE_PRODUCT_ID}?period=365`,
    `/app/analytics/products/${SAMPLE_PRODUCT_ID}/customers`,
    "/app/analytics/out-of-stock",
    "/app/api-keys",
    "/app/api-keys/new",
    `/app/api-keys/${keyId}`,
    "/app/alerts",
    "/app/alerts/log",
    `/app/alerts/log/${momentId}`,
    "/app/alerts/email",
    "/app/alerts/klaviyo",
    "/app/webhooks",
    "/app/webhooks/new",
    "/app/webhooks/receiver",
    "/app/webhooks/flow",
    "/app/webhooks/email",
    "/app/webhooks/klaviyo",
    `/app/webhooks/${SAMPLE_WEBHOOK_ID}`,
    `/app/webhooks/${SAMPLE_WEBHOOK_ID}?status=failed`,
    `/app/webhooks/${SAMPLE_WEBHOOK_ID}/edit`,
    `/app/webhooks/${SAMPLE_WEBHOOK_ID}/deliveries/${deliveryId}`,
    "/app/wishlists",
    `/app/wishlists/${wishlistId}`,
    `/app/wishlists/${wishlistId}/history`,
    "/app/wishlists/audit",
    "/app/plan",
    "/app/settings",
    "/app/settings/privacy",
    "/app/settings/data",
  ];
}

const APP = { SHOPIFY_API_KEY: "bench", SHOPIFY_API_SECRET: randomBytes(24).toString("hex") };

/** Returns a session token like those of App Bridge. */
function sessionToken(): string {
  const seconds = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: "HS256", typ: "JWT" },
    {
      iss: `https://${DOMAIN}/admin`,
      dest: `https://${DOMAIN}`,
      aud: APP.SHOPIFY_API_KEY,
      sub: "1",
      exp: seconds + 60,
      nbf: seconds - 1,
      iat: seconds,
      jti: randomUUID(),
      sid: randomUUID(),
    },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${createHmac("sha256", APP.SHOPIFY_API_SECRET).update(signed).digest("base64url")}`;
}

/** Requests a page. @returns milliseconds until its last byte */
async function timeRequest(client: Client, path: string): Promise<number> {
  if (isEnding()) throw new Error("stopped");
  const address = new URL(path, "http://app");
  address.searchParams.set("embedded", "1");
  address.searchParams.set("shop", DOMAIN);
  address.searchParams.set(
    "host",
    Buffer.from(`admin.shopify.com/store/${DOMAIN.split(".")[0] ?? ""}`).toString("base64"),
  );
  address.searchParams.set("id_token", sessionToken());
  const started = performance.now();
  const { statusCode, body } = await client.request({
    method: "GET",
    path: address.pathname + address.search,
    headers: {
      "user-agent":
        "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    },
  });
  const text = await body.text();
  const ms = performance.now() - started;
  if (statusCode !== 200) throw new Error(`${path} responded with ${statusCode}: ${text.slice(0, 500)}`);
  return ms;
}

/** Measures the server time of each page. @returns the median by page, in milliseconds */
async function measureServer(url: string, addresses: string[], rounds: number): Promise<[string, number][]> {
  const client = new Client(url);
  const times: [string, number][] = [];
  for (const path of addresses) {
    const durations: number[] = [];
    for (let round = -3; round < rounds; round++) {
      const ms = await timeRequest(client, path);
      // The first requests are a warm-up.
      if (round >= 0) durations.push(ms);
    }
    const { median, max } = spreadOf(durations);
    times.push([path, median]);
    say(`admin: ${path} took the server ${milliseconds(median)}, at most ${milliseconds(max)}`);
  }
  await client.close();
  return times;
}

/** Returns the median of each vital, with the description of that round. */
function medianVitals(rounds: readonly Vitals[]): Vitals {
  const by = (of: (one: Vitals) => number): Vitals => {
    const one = rounds.toSorted((a, b) => of(a) - of(b))[Math.floor(rounds.length / 2)];
    if (!one) throw new Error("nothing was measured");
    return one;
  };
  const [{ lcp }, { cls, moved }, { inp, slowest }] = [by((a) => a.lcp), by((a) => a.cls), by((a) => a.inp)];
  return { lcp, cls, moved, inp, slowest };
}

/** Measures the web vitals of each page. */
async function measureVitals(rules: string, addresses: string[], rounds: number): Promise<[string, Vitals][]> {
  const browser = await openBrowser(rules);
  try {
    const vitals: [string, Vitals][] = [];
    for (const path of addresses) {
      const measured: Vitals[] = [];
      for (let round = 0; round < rounds; round++) measured.push(await vitalsOf(browser, ADMIN + path));
      const one = medianVitals(measured);
      vitals.push([path, one]);
      say(`admin: ${path} LCP ${milliseconds(one.lcp)}, CLS ${one.cls.toFixed(3)}, INP ${milliseconds(one.inp)}`);
      say(`       slowest: ${one.slowest}`);
      if (one.cls > 0) say(`       moved: ${one.moved}`);
    }
    return vitals;
  } finally {
    await browser.close();
  }
}

/** Measures the pages of the admin in a large shop: server time, and web vitals on a slow machine. */
export async function admin({ options, serverUrl }: Bench): Promise<Row[]> {
  const database = await provideDatabase(serverUrl, adminContent(options.quick));
  await summarizeLists(database);
  // The devstore runs in this process and reads its settings.
  provideSettings({ DATABASE_URL: database.url, NODE_ENV: "test" });
  const port = await freePort();
  const devstore = await createDevstore({
    tlsPort: 0,
    data: "demo",
    appUrl: "https://wishlist.example.com",
    appAddress: `http://127.0.0.1:${port}`,
    apiKey: APP.SHOPIFY_API_KEY,
    apiSecret: APP.SHOPIFY_API_SECRET,
    plan: "Growth",
  });
  onEnd(() => devstore.close());
  const settings = {
    ...APP,
    SHOPIFY_APP_URL: "https://wishlist.example.com",
    DEVSTORE_URL: devstore.url,
    // Production rejects DEVSTORE_URL. NODE_ENV changes nothing else here.
    NODE_ENV: "test",
    // Without the worker, so that the shop's data does not change.
    WISHLIST_ROLE: "web",
    PORT: String(port),
  };
  const service = await startService(database, { ...options, settings });
  await devstore.connectStore();
  const addresses = pages(await findSampleIds(database));

  const times = await measureServer(service.url, addresses, options.quick ? 5 : 40);
  const vitals = await measureVitals(devstore.hostResolverRules ?? "", addresses, options.quick ? 1 : 3);
  const slowest = times.reduce((a, b) => (b[1] > a[1] ? b : a));
  const row = (work: string, path: string, value: number, shown: string, most: number, required: string): Row => ({
    work: `${work}, the worst of ${addresses.length} pages: \`${path}\``,
    figure: shown,
    against: "",
    ratio: "",
    required: `≤ ${required}`,
    passed: value <= most,
  });
  const worst = (of: (one: Vitals) => number): [string, Vitals] =>
    vitals.reduce((a, b) => (of(b[1]) > of(a[1]) ? b : a));
  const [lcpPath, { lcp }] = worst((one) => one.lcp);
  const [clsPath, { cls, moved }] = worst((one) => one.cls);
  const [inpPath, { inp, slowest: press }] = worst((one) => one.inp);
  return [
    row(
      "Server time of a page of the admin",
      ...slowest,
      milliseconds(slowest[1]),
      MAX_SERVER_MS,
      `${MAX_SERVER_MS} ms`,
    ),
    row("LCP at a quarter of the CPU's speed", lcpPath, lcp, `${(lcp / 1000).toFixed(2)} s`, MAX.lcp, "2 s"),
    { ...row("CLS", clsPath, cls, cls.toFixed(3), MAX.cls, String(MAX.cls)), against: moved },
    { ...row("INP", inpPath, inp, `${Math.round(inp)} ms`, MAX.inp, `${MAX.inp} ms`), against: press },
  ];
}
