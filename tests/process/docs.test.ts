import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { client, type Call } from "../support/app/client.ts";
import { deliveriesOf, subscribe } from "../support/webhooks/webhooks.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { freePort } from "../support/http/ports.ts";
import { until } from "../support/until.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));

const followedSchema = z.object({
  lists: z.record(z.string(), z.object({ items: z.record(z.string(), z.object({ productId: z.string() })) })),
});

/** Returns the products in the default list that the documented follower has written. */
function productsIn(text: string): string[] {
  const { lists } = followedSchema.parse(JSON.parse(text));
  return Object.values(lists["follower default"]?.items ?? {}).map(({ productId }) => productId);
}

let service: Service;
let call: Call;
let shop: TestShop;
beforeAll(async () => {
  service = await startService({ env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } });
  call = client(service.url);
  shop = await makeShop(service, call);
});
afterAll(() => service.dispose());

test("the documented receiver accepts a real delivery and rejects one with another secret", async () => {
  const page = await readFile(path.join(TOP, "docs/webhooks.md"), "utf8");
  const [, code = ""] = /```js\n(\/\/ receiver\.mjs\n.*?)```/s.exec(page) ?? [];
  // Inside the project, so that the receiver finds the standardwebhooks package.
  const folder = await mkdtemp(path.join(TOP, "node_modules/.cache/docs-"));
  const file = path.join(folder, "receiver.mjs");
  await writeFile(file, code);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { webhookId, secret } = await subscribe(call, shop, url);
  const other = await subscribe(call, await makeShop(service, call), url);
  expect(other.secret).not.toBe(secret);

  const run = async (SECRET: string): Promise<{ lines: string[]; stop: () => Promise<void> }> => {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: String(port), SECRET },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    await until("the receiver", async () => (await fetch(url).catch(() => undefined)) !== undefined);
    return {
      lines,
      async stop() {
        child.kill();
        await once(child, "exit");
      },
    };
  };
  const statusOf = (): Promise<number | null | undefined> =>
    until("an attempt", async () => (await deliveriesOf(call, shop, webhookId))[0]?.attempts[0]).then(
      ({ status }) => status,
    );

  const wrong = await run(other.secret);
  (await call("POST", `/v1/webhooks/${webhookId}/test`, { token: shop.token })).data();
  expect(await statusOf()).toBe(401);
  expect(wrong.lines).toEqual([]);
  await wrong.stop();

  const right = await run(secret);
  (await call("POST", `/v1/webhooks/${webhookId}/test`, { token: shop.token })).data();
  expect(await statusOf()).toBe(204);
  expect(right.lines.join("\n")).toContain("wishlist.item.added");
  await right.stop();
  await rm(folder, { recursive: true });
});

test("the documented follower of changes keeps its file equal to a list, also after a restart", async () => {
  const page = await readFile(path.join(TOP, "docs/api/changes.md"), "utf8");
  const [, code = ""] = /```js\n(\/\/ follow\.mjs\n.*?)```/s.exec(page) ?? [];
  const folder = await mkdtemp(path.join(TOP, "node_modules/.cache/docs-"));
  await writeFile(path.join(folder, "follow.mjs"), code);

  const start = (): (() => Promise<void>) => {
    const env = { ...process.env, API: service.url, TOKEN: shop.token };
    const child = spawn(process.execPath, ["follow.mjs"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    return async () => {
      child.kill();
      await once(child, "exit");
    };
  };
  const followed = async (...products: string[]): Promise<boolean> => {
    const text = await readFile(path.join(folder, "wishlists.json"), "utf8").catch(() => "");
    // The file is empty for a moment while it is written.
    return text !== "" && isDeepStrictEqual(productsIn(text), products);
  };
  const add = async (product: string): Promise<void> => {
    const json = { product_id: product, variant_id: "v" };
    (await call("POST", "/v1/wishlists/follower/items", { token: shop.token, json })).data();
  };

  await add("p1");
  let stop = start();
  await until("the page", () => followed("p1"));
  await add("p2");
  await until("the event", () => followed("p1", "p2"));
  await stop();
  (await call("DELETE", "/v1/wishlists/follower/items/p1", { token: shop.token })).data();
  stop = start();
  await until("the change while it was stopped", () => followed("p2"));
  await stop();
  await rm(folder, { recursive: true });
});
