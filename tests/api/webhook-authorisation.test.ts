import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, type Answer, type Call } from "../support/client.ts";
import { contract } from "../support/contract.ts";
import { subscribe, type Delivery } from "../support/deliveries.ts";
import { expectFailure } from "../support/failure.ts";
import { startService, type Service } from "../support/service.ts";
import { exchange, makeShop, type TestShop } from "../support/shop.ts";
import { ADDED, RECEIVER, webhooksStored } from "../support/subscriptions.ts";

interface Route {
  name: string;
  scope: "read_webhooks" | "write_webhooks";
  json?: unknown;
  /** of its answer to whoever may */
  status: 200 | 201;
}

interface Target {
  webhookId: string;
  deliveryId: string;
}

const ROUTES: Route[] = [
  { name: "GET /v1/webhooks", scope: "read_webhooks", status: 200 },
  { name: "POST /v1/webhooks", scope: "write_webhooks", json: { url: RECEIVER, events: [ADDED] }, status: 201 },
  { name: "GET /v1/webhooks/{webhookId}", scope: "read_webhooks", status: 200 },
  { name: "PATCH /v1/webhooks/{webhookId}", scope: "write_webhooks", json: { enabled: false }, status: 200 },
  { name: "DELETE /v1/webhooks/{webhookId}", scope: "write_webhooks", status: 200 },
  { name: "POST /v1/webhooks/{webhookId}/rotate-secret", scope: "write_webhooks", status: 200 },
  { name: "POST /v1/webhooks/{webhookId}/test", scope: "write_webhooks", status: 201 },
  { name: "GET /v1/webhooks/{webhookId}/deliveries", scope: "read_webhooks", status: 200 },
  { name: "POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", scope: "write_webhooks", status: 201 },
];
const OF_ONE = ROUTES.filter(({ name }) => name.includes("{webhookId}"));

let service: Service;
let call: Call;
let shop: TestShop;
let stranger: TestShop;
/** the shop's */
let target: Target;

beforeAll(async () => {
  service = await startService({ env: { WISHLIST_ROLE: "web" } });
  call = client(service.url);
  shop = await makeShop(service, call);
  stranger = await makeShop(service, call);
  target = await newTarget();
});
afterAll(() => service.dispose());

/** A webhook of the shop, with a delivery. */
async function newTarget(): Promise<Target> {
  const { webhookId } = await subscribe(call, shop, RECEIVER);
  const tested = await call("POST", `/v1/webhooks/${webhookId}/test`, { token: shop.token });
  return { webhookId, deliveryId: tested.data<Delivery>().deliveryId };
}

function send({ name, json }: Route, token: string | undefined, of: Target): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  return call(method, path.replace("{webhookId}", of.webhookId).replace("{deliveryId}", of.deliveryId), {
    token,
    json,
  });
}

test("every webhook route is in this file's table", () => {
  const documented = Object.entries(contract.paths).flatMap(([path, operations]) =>
    path.startsWith("/v1/webhooks") ? Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`) : [],
  );
  expect(ROUTES.map(({ name }) => name).sort()).toEqual(documented.sort());
});

describe.each(ROUTES)("$name", (route) => {
  test.each<[whose: string, code: string, token: () => Promise<string | undefined>]>([
    ["without a token", "missing_token", () => Promise.resolve(undefined)],
    [
      "with a token that has every scope but this",
      "insufficient_scope",
      () =>
        exchange(call, shop, {
          scope: `read_wishlists write_wishlists read_analytics ${route.scope === "read_webhooks" ? "write_webhooks" : "read_webhooks"}`,
        }),
    ],
    ["with a customer's token", "insufficient_scope", () => exchange(call, shop, { customer_id: "c1" })],
  ])("%s is %s; nothing is told, nothing is changed", async (_whose, code, token) => {
    const sent = await token();
    const before = await webhooksStored(service.database);
    const refused = { requiredScope: route.scope };
    expectFailure(
      await send(route, sent, target),
      code === "missing_token" ? 401 : 403,
      code,
      sent ? refused : undefined,
    );
    expect(await webhooksStored(service.database)).toEqual(before);
  });

  test("with this scope alone is answered", async () => {
    const own = await newTarget();
    const answer = await send(route, await exchange(call, shop, { scope: route.scope }), own);
    expect(answer.status).toBe(route.status);
  });
});

describe.each(OF_ONE)("$name", (route) => {
  test("answers another shop's id, one that is not there and one that can't be alike, and changes nothing", async () => {
    const before = await webhooksStored(service.database);
    const { webhookId } = target;
    const ask = (id: string): Promise<Answer> => send(route, stranger.token, { ...target, webhookId: id });
    const unknown = await ask("whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ");
    const tries = [
      webhookId,
      webhookId.slice(0, -1),
      webhookId.toLowerCase(),
      `${webhookId} `,
      `${webhookId}%00`,
      "whk_",
      "%27",
      "*",
      "a".repeat(5_000),
    ];
    for (const id of tries) {
      const answer = await ask(id);
      expectFailure(answer, 404, "webhook_not_found");
      expect({ ...answer.error(), requestId: "" }).toEqual({ ...unknown.error(), requestId: "" });
    }
    expect(await webhooksStored(service.database)).toEqual(before);
  });
});

test("webhooks of another shop are not in the list", async () => {
  expect((await call("GET", "/v1/webhooks", { token: stranger.token })).data()).toEqual({ webhooks: [] });
});
