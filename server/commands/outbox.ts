import { Command, Option } from "commander";
import {
  discardChange,
  listSetAsideChanges,
  retryChanges,
  type SetAsideChange,
} from "../../app/activity/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import type { Shop } from "../../app/shops/index.server.ts";
import { PROGRAM } from "../program-name.ts";
import { jsonOption, parseChangeId, parseDomain, shopOption } from "./arguments.ts";
import { commandLine } from "./operator.ts";
import { Refusal } from "./refusal.ts";
import { databaseCommand } from "./run.ts";
import { requireShop } from "./shops.ts";
import { table } from "./table.ts";

function asRow({ shop, id, kind, at, failures, retryAt, reason }: SetAsideChange): string[] {
  return [shop, id, kind, at.toISOString(), String(failures), retryAt?.toISOString() ?? "no more", reason];
}

function notSetAside({ domain }: Shop, id: string | undefined): Refusal {
  const which = id === undefined ? "No change" : `No change with the id ${id}`;
  return new Refusal(`${which} of ${domain} is set aside. \`${PROGRAM} outbox list\` lists those that are.`);
}

/** The changes that the outbox processor has set aside. */
export function outboxCommand(): Command {
  const outbox = new Command("outbox").description(
    "list changes of wishlists that could not be processed, and retry or discard them",
  );

  outbox
    .command("list")
    .description("list the changes that are set aside, the last failure first")
    .addOption(new Option("--shop <domain>", "only those of this shop").argParser(parseDomain))
    .addOption(jsonOption())
    .action(
      databaseCommand("outbox list", async ({ shop }: { shop?: string }) => {
        const found = await listSetAsideChanges(shop === undefined ? undefined : (await requireShop(shop)).id);
        return {
          json: found,
          text:
            found.length === 0
              ? "No change is set aside."
              : table(["SHOP", "ID", "KIND", "AT", "FAILURES", "NEXT ATTEMPT", "REASON"], found.map(asRow)),
        };
      }),
    );

  outbox
    .command("retry")
    .description("process a shop's set-aside changes again")
    .argument("[id]", "id of one change; without it, all", parseChangeId)
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(
      databaseCommand("outbox retry", async (id: string | undefined, options: { shop: string }) => {
        const shop = await requireShop(options.shop);
        const count = await transaction(shop.id, (tx) => retryChanges(tx, shop.id, id));
        if (count === 0) throw notSetAside(shop, id);
        return {
          json: { shop: shop.domain, retried: count },
          text: `A running worker tries ${count === 1 ? "1 change" : `${count} changes`} of ${shop.domain} again within a second.`,
        };
      }),
    );

  outbox
    .command("discard")
    .description(
      "give set-aside changes up: they stay in the history of their list, and no report, webhook or feed gets them",
    )
    .argument("<id>", "id of the change", parseChangeId)
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(
      databaseCommand("outbox discard", async (id: string, options: { shop: string }) => {
        const shop = await requireShop(options.shop);
        const discarded = await transaction(shop.id, async (tx) => {
          if (!(await discardChange(tx, shop.id, id))) return false;
          await audit(tx, { shopId: shop.id, ...commandLine(), action: "data.change_discarded", subject: id });
          return true;
        });
        if (!discarded) throw notSetAside(shop, id);
        return { json: { shop: shop.domain, discarded: id }, text: `Discarded the change ${id} of ${shop.domain}.` };
      }),
    );

  return outbox;
}
