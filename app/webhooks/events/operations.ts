import { z } from "zod";
import { time } from "./fields.ts";
import { event } from "./record.ts";

/** Events about the shop's webhooks themselves. */
export const OPERATIONAL_EVENTS = [
  event({
    name: "webhook.disabled",
    meaning: "The service disabled another webhook of the shop",
    label: "Webhook turned off",
    help: "Another webhook of this store is turned off, because its endpoint is gone or every delivery failed for five days.",
    data: z.strictObject({
      webhookId: z.string().meta({ example: "whk_4bAUimbrCZzTztrkdTw5vP2ba1jq" }),
      url: z.string().meta({
        description: "Without its query, which may hold a credential",
        example: "https://erp.example.com/hook",
      }),
      reason: z.enum(["gone", "failing"]),
      disabledAt: time,
      failingSince: time.meta({ description: "Time of the first failure since the last success" }),
      undelivered: z.int().meta({ description: "Deliveries that wait or have failed, at most 10,000", example: 3 }),
      lastStatus: z.int().nullable().meta({ description: "HTTP status of the last request", example: 410 }),
      lastError: z.string().nullable().meta({ example: "The receiver did not respond within 15 seconds." }),
    }),
    test: ({ at }) => ({
      webhookId: "whk_test",
      url: "https://example.com/test",
      reason: "gone" as const,
      disabledAt: at,
      failingSince: at,
      undelivered: 1,
      lastStatus: 410,
      lastError: null,
    }),
  }),
];
