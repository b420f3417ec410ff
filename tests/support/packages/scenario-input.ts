import type { ScenarioInput } from "../../packages/fixtures/scenario.ts";
import type { Call } from "../app/client.ts";
import type { InProcessApp } from "../app/in-process.ts";
import { exchange, publishKey, type TestShop } from "../app/shop.ts";

/** Returns the input of the scenario for a shop with the products `lamp` and `rug`. */
export async function scenarioInput(
  app: Pick<InProcessApp, "listen">,
  call: Call,
  shop: TestShop,
): Promise<Required<ScenarioInput>> {
  return {
    url: await app.listen(),
    publishableKey: await publishKey(shop, ["http://127.0.0.1", "https://www.shop.example"]),
    origin: "https://www.shop.example",
    customerToken: await exchange(call, shop, { customer_id: "7001" }),
    webhook: {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      body: '{"test": 2432232314}',
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
    },
  };
}
