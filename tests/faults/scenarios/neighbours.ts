import { client } from "../../support/app/client.ts";
import { subscribeTo, testDatabase } from "../rig/shops.ts";
import type { Scenario } from "./scenario.ts";

let webhooks: { token: string; webhookId: string }[] = [];

export const receiverHangs: Scenario = {
  name: "receiver-hangs",
  title: "A receiver of each shop accepts requests and never responds, beside healthy receivers",
  seconds: 20,
  async before({ webs: [web], shops, receivers, directUrl }) {
    const database = testDatabase(directUrl());
    const call = client(web?.url ?? "");
    webhooks = [];
    for (const shop of shops) {
      const { webhookId } = await subscribeTo(receivers.hangingUrl, shop, { call, database });
      webhooks.push({ token: shop.token, webhookId });
    }
    await database.drop();
  },
  inject: () => undefined,
  heal: () => undefined,
  async after({ webs: [web] }) {
    const call = client(web?.url ?? "");
    for (const { token, webhookId } of webhooks) await call("DELETE", `/v1/webhooks/${webhookId}`, { token });
  },
  goal: { refusals: false },
};

export const hotShop: Scenario = {
  name: "hot-shop",
  title: "One shop at 10 times its peak for 15 s, beside others",
  seconds: 15,
  perSecond: 30,
  hotPerSecond: 100,
  inject: () => undefined,
  heal: () => undefined,
  goal: { othersP99Factor: 3 },
};
