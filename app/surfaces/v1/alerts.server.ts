import { z } from "zod";
import { ALERT_KINDS, alertKindSchema, changeAlertChoices, readAlertChoices } from "../../alerts/index.server.ts";
import type { Plan } from "../../billing/index.server.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { dataOrFailure } from "../../platform/failure.ts";
import { ownerInPath, ownerParameter } from "../../wishlists/index.server.ts";

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
async function choicesOf(shopId: number, plan: Plan, customerId: string): Promise<z.input<typeof choicesSchema>> {
  const { offered, since } = await readAlertChoices(shopId, plan, customerId);
  return {
    offered,
    alerts: ALERT_KINDS.map((kind) => ({ kind, on: since[kind] !== null, since: since[kind]?.toISOString() ?? null })),
  };
}

export const getAlerts = endpoint({
  operationId: "getAlertChoices",
  sdkMethod: "alerts.get",
  tag: "Alerts",
  summary: "Read which alerts a customer has asked for",
  description: "All kinds are off until the customer asks for them.",
  access: bearer("read_wishlists", { customersOnly: true }),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: noBody,
  data: choicesSchema,
  async handle({ caller, params }) {
    const { id } = ownerInPath(caller, params.customerId);
    return dataOrFailure(await choicesOf(caller.shopId, caller.plan, id));
  },
});

export const patchAlerts = endpoint({
  operationId: "updateAlertChoices",
  sdkMethod: "alerts.update",
  tag: "Alerts",
  summary: "Record which alerts a customer asks for",
  description:
    "Call it only for what the customer has chosen: each change is kept with its time, its wording and the fact that it came through the API. Repeating a request changes nothing.",
  access: bearer("write_wishlists", { customersOnly: true }),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: choicesBody,
  data: choicesSchema,
  async handle({ caller, params, body }) {
    const { id } = ownerInPath(caller, params.customerId);
    const { alerts, ...words } = body;
    const among = ALERT_KINDS.filter((kind) => alerts[kind] !== undefined);
    const kinds = among.filter((kind) => alerts[kind] === true);
    await changeAlertChoices(caller.shopId, id, { kinds, source: "api", ...words }, among);
    return dataOrFailure(await choicesOf(caller.shopId, caller.plan, id));
  },
});
