import { z } from "zod";

/** Outcomes of the merchant's webhook forms. They are stored for repeated submissions. */

/** A new secret, which is shown only once. */
export const issuedSecretSchema = z.object({ webhookId: z.string(), secret: z.string() });

export const redeliveredSchema = z.object({ deliveryId: z.string() });

export const batchSchema = z.object({ queued: z.int(), more: z.boolean() });

export type IssuedSecret = z.infer<typeof issuedSecretSchema>;

export type Redelivered = z.infer<typeof redeliveredSchema>;

export type RedeliveredBatch = z.infer<typeof batchSchema>;
