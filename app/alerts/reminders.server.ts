import { plansWith } from "../billing/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement } from "../platform/database/database.server.ts";

const remindStatement = shopStatement<Record<string, never>>(
  "alert_remind",
  "SELECT alert_remind(p_shop_id => $1, p_at => $2, p_plans => $3)",
);

/** Opens the occurrence of the shop's reminders of the day, which a poll finds when it is due. Repeating it changes nothing. */
export async function openReminders(shopId: number): Promise<void> {
  await run(remindStatement, [shopId, now(), plansWith("alerts")]);
}
