import { Command, Option } from "commander";
import { createShop, findShop, listShops, setPlan, type Shop } from "../../app/shops/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { planSchema, type Plan } from "../../app/billing/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { PROGRAM } from "../program-name.ts";
import { parseDomain, jsonOption, parseNewDomain, planOption, parseTimeZone } from "./arguments.ts";
import { commandLine } from "./operator.ts";
import { Refusal } from "./refusal.ts";
import { databaseCommand } from "./run.ts";
import { table } from "./table.ts";

/** @throws Refusal for an unknown shop */
export async function requireShop(name: string): Promise<Shop> {
  const shop = await findShop(name);
  if (!shop) throw new Refusal(`The shop ${name} does not exist. \`${PROGRAM} shops list\` lists all shops.`);
  return shop;
}

function describeShop({ domain: shop, plan, timeZone: zone, installedAt, uninstalledAt }: Shop) {
  return { shop, plan, timeZone: zone, installedAt, uninstalledAt };
}

export function shopsCommand(): Command {
  const shops = new Command("shops").description("create shops, list them and set their plan");

  shops
    .command("create")
    .description("add a shop")
    .argument("<domain>", "such as my-shop.myshopify.com", parseNewDomain)
    .addOption(planOption().default("free"))
    .addOption(
      new Option("--time-zone <zone>", "IANA time zone of the shop's calendar days")
        .argParser(parseTimeZone)
        .default("UTC"),
    )
    .addOption(jsonOption())
    .action(
      databaseCommand("shops create", async (name: string, options: { plan: Plan; timeZone: string }) => {
        const shop = await createShop({ domain: name, plan: options.plan, timeZone: options.timeZone });
        if (!shop) throw new Refusal(`The shop ${name} already exists.`);
        return { json: describeShop(shop), text: `Created ${shop.domain} on the ${shop.plan} plan.` };
      }),
    );

  shops
    .command("list")
    .description("list all shops")
    .addOption(jsonOption())
    .action(
      databaseCommand("shops list", async () => {
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
              ? `No shops exist yet. Create one with \`${PROGRAM} shops create <domain>\`.`
              : table(["SHOP", "PLAN", "TIME ZONE", "STATE"], rows),
        };
      }),
    );

  shops
    .command("set-plan")
    .description("change a shop's plan")
    .argument("<domain>", "the shop's domain", parseDomain)
    .addArgument(shops.createArgument("<plan>", "the shop's new plan").choices(planSchema.options))
    .addOption(jsonOption())
    .action(
      databaseCommand("shops set-plan", async (name: string, plan: Plan) => {
        const { id } = await requireShop(name);
        const shop = await transaction(id, async (tx) => {
          const changed = await setPlan(tx, id, plan);
          if (changed && changed.before !== plan) {
            const details = { from: changed.before, to: plan };
            await audit(tx, { shopId: id, ...commandLine(), action: "plan.changed", details });
          }
          return changed?.shop;
        });
        if (!shop) throw new Refusal(`The shop ${name} was deleted.`);
        return { json: describeShop(shop), text: `${shop.domain} is now on the ${shop.plan} plan.` };
      }),
    );

  return shops;
}
