import { Command, Option } from "commander";
import { createShop, findShop, listShops, setPlan, type Shop } from "../../app/shops/index.server.ts";
import { transaction } from "../../app/platform/transaction.server.ts";
import { planSchema, type Plan } from "../../app/billing/index.server.ts";
import { domain, jsonOption, newDomain, planOption, timeZone } from "./arguments.ts";
import { PROGRAM, Refusal, runs } from "./run.ts";
import { table } from "./table.ts";

/** @throws Refusal for an unknown shop */
export async function shopOf(name: string): Promise<Shop> {
  const shop = await findShop(name);
  if (!shop) throw new Refusal(`There is no shop ${name}. \`${PROGRAM} shops list\` shows the shops there are.`);
  return shop;
}

function describeShop({ domain: shop, plan, timeZone: zone, installedAt, uninstalledAt }: Shop) {
  return { shop, plan, timeZone: zone, installedAt, uninstalledAt };
}

export function shopsCommand(): Command {
  const shops = new Command("shops").description("create and list shops, set their plan");

  shops
    .command("create")
    .description("add a shop")
    .argument("<domain>", "such as my-shop.myshopify.com", newDomain)
    .addOption(planOption().default("free"))
    .addOption(
      new Option("--time-zone <zone>", "IANA time zone of its calendar days").argParser(timeZone).default("UTC"),
    )
    .addOption(jsonOption())
    .action(
      runs("shops create", async (name: string, options: { plan: Plan; timeZone: string }) => {
        const shop = await createShop({ domain: name, plan: options.plan, timeZone: options.timeZone });
        if (!shop) throw new Refusal(`The shop ${name} exists already.`);
        return { json: describeShop(shop), text: `Created ${shop.domain} on the ${shop.plan} plan.` };
      }),
    );

  shops
    .command("list")
    .description("list all shops")
    .addOption(jsonOption())
    .action(
      runs("shops list", async () => {
        const all = await listShops();
        const rows = all.map((shop) => [
          shop.domain,
          shop.plan,
          shop.timeZone,
          shop.uninstalledAt ? "uninstalled" : "installed",
        ]);
        return {
          json: all.map(describeShop),
          text:
            rows.length === 0
              ? `There are no shops yet. \`${PROGRAM} shops create <domain>\` makes one.`
              : table(["SHOP", "PLAN", "TIME ZONE", "STATE"], rows),
        };
      }),
    );

  shops
    .command("set-plan")
    .description("change a shop's plan")
    .argument("<domain>", "the shop's domain", domain)
    .addArgument(shops.createArgument("<plan>", "its new plan").choices(planSchema.options))
    .addOption(jsonOption())
    .action(
      runs("shops set-plan", async (name: string, plan: Plan) => {
        const { id } = await shopOf(name);
        const shop = await transaction(id, (tx) => setPlan(tx, id, plan));
        if (!shop) throw new Refusal(`The shop ${name} is gone.`);
        return { json: describeShop(shop), text: `${shop.domain} is on the ${shop.plan} plan now.` };
      }),
    );

  return shops;
}
