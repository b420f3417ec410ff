import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { dataOrFailure } from "../platform/failure.ts";
import { noBody, none, operation } from "../wishlists/operations/operation.ts";
import { changeAlertChoices, readAlertChoices } from "./consent.server.ts";
import { ALERT_KINDS, alertKindSchema } from "./kinds.ts";

const choicesSchema = z
  .object({
    offered: z.array(alertKindSchema).meta({
      description:
        "What customers can ask for: the kinds that the shop has on. Empty where the merchant answers for the consent",
      example: ["price_dropped", "back_in_stock"],
    }),
    alerts: z.array(
      z.object({
        kind: alertKindSchema,
        on: z.boolean().meta({ example: true }),
        since: z.iso.datetime({ precision: 3 }).nullable().meta({ example: "2026-11-20T09:30:00.000Z" }),
      }),
    ),
  })
  .meta({ id: "AlertChoices" });

const choicesBody = z
  .strictObject({
    alerts: z.partialRecord(alertKindSchema, z.boolean()).meta({
      description: "Whether a kind is on, for the kinds that change",
      example: { price_dropped: true },
    }),
    wording: z.string().trim().min(1).max(500).optional().meta({
      description: "The text to which the customer agreed, which is recorded",
      example: "Tell me when the price drops",
    }),
    locale: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
      .optional()
      .meta({ description: "Language of `wording`", example: "en" }),
  })
  .meta({ id: "AlertChoicesChange" });

/** Returns what a customer has asked for, as responses show it. */
async function choicesOf({ shopId, plan }: Caller, customerId: string): Promise<z.input<typeof choicesSchema>> {
  const { offered, since } = await readAlertChoices(shopId, plan, customerId);
  return {
    offered,
    alerts: ALERT_KINDS.map((kind) => ({ kind, on: since[kind] !== null, since: since[kind]?.toISOString() ?? null })),
  };
}

export const getAlertChoices = operation({
  operationId: "getAlertChoices",
  sdkMethod: "alerts.get",
  tag: "Alerts",
  summary: "Read which alerts a customer has asked for",
  description: "All kinds are off until the customer asks for them.",
  effect: "read",
  customersOnly: true,
  ids: none,
  options: none,
  body: noBody,
  data: choicesSchema,
  handle: async ({ caller, list }) => dataOrFailure(await choicesOf(caller, list.id)),
});

export const updateAlertChoices = operation({
  operationId: "updateAlertChoices",
  sdkMethod: "alerts.update",
  tag: "Alerts",
  summary: "Record which alerts a customer asks for",
  description:
    "Call it only for what the customer has chosen: each change is kept with its time, its wording and the fact that it came through the API. Repeating a request changes nothing.",
  effect: "write",
  customersOnly: true,
  ids: none,
  options: none,
  body: choicesBody,
  data: choicesSchema,
  async handle({ caller, list, body: { alerts, ...words } }) {
    const among = ALERT_KINDS.filter((kind) => alerts[kind] !== undefined);
    const kinds = among.filter((kind) => alerts[kind] === true);
    await changeAlertChoices(caller.shopId, list.id, { kinds, source: caller.source, ...words }, among);
    return dataOrFailure(await choicesOf(caller, list.id));
  },
});
