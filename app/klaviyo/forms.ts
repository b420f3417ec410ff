import { z } from "zod";
import { klaviyoEventSchema } from "./events.ts";

// Schemas of the forms for Klaviyo. Their messages appear at the fields.

const KEY = "Enter a private key, which begins with pk_.";

export const klaviyoConnectForm = z.strictObject({
  key: z
    .string(KEY)
    .trim()
    .regex(/^pk_\w{6,120}$/, KEY),
});

/** A form with one ticked box submits a string, and a form with no ticked box submits nothing. */
const ticked = z.preprocess(
  (given) => (typeof given === "string" ? [given] : (given ?? [])),
  z.array(klaviyoEventSchema).min(1, "Choose an event, or disconnect Klaviyo."),
);

export const klaviyoEventsForm = z.strictObject({ events: ticked });

export const klaviyoTestForm = z.strictObject({ event: klaviyoEventSchema });
