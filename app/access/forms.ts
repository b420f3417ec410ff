import { z } from "zod";
import { scopesBeyond, type SecretKeyKind } from "./kinds.ts";
import { originsSchema } from "./origins.ts";
import { scopeSchema, type Scope } from "./scopes.ts";

/** Schemas of the admin's forms about API keys. Their messages appear at the fields. */

const HOUR = 3_600_000;
const NAME_MAX = 100;

const name = z
  .string("Give the key a name.")
  .trim()
  .min(1, "Give the key a name.")
  .max(NAME_MAX, `Use at most ${NAME_MAX} characters.`)
  .regex(/^\P{Cc}*$/u, "Leave line breaks and other control characters out.");

/** A form with a single checked box sends a string instead of an array. */
const scopes = z.preprocess(
  (given) => (typeof given === "string" ? [given] : (given ?? [])),
  z
    .array(z.enum(scopeSchema.options, "Choose from the list."))
    .min(1, "Choose at least one.")
    .transform((chosen) => [...new Set(chosen)]),
);

/** Days until the key expires; undefined for a key that does not expire. */
const expires = z
  .enum(["never", "30", "90", "365"], "Choose when the key expires.")
  .transform((choice) => (choice === "never" ? undefined : Number(choice)));

function isWithinKind({ kind, scopes }: { kind: SecretKeyKind; scopes: Scope[] }): boolean {
  return scopesBeyond(kind, scopes).length === 0;
}

const BEYOND_KIND = {
  path: ["scopes"],
  error: "A storefront server's key can read and change wishlists only. Clear the other permissions.",
};

export const createKeyForm = z.discriminatedUnion("kind", [
  z
    .strictObject({
      name,
      kind: z.enum(["admin", "storefront_server"]),
      scopes,
      origins: z.unknown().optional(),
      expires,
    })
    .refine(isWithinKind, BEYOND_KIND),
  z.strictObject({
    name,
    kind: z.literal("publishable"),
    scopes: z.unknown().optional(),
    origins: originsSchema,
    expires,
  }),
]);

/** Changes a key. The kind, which the page sends along, tells which fields it has. */
export const changeKeyForm = z.discriminatedUnion("kind", [
  z.strictObject({ name, kind: z.enum(["admin", "storefront_server"]), scopes }).refine(isWithinKind, BEYOND_KIND),
  z.strictObject({ name, kind: z.literal("publishable"), origins: originsSchema }),
]);

export const rotateKeyForm = z.strictObject({
  /** milliseconds */
  overlap: z
    .enum(["0", "1", "24", "168"], "Choose how long the old key stays valid.")
    .transform((hours) => Number(hours) * HOUR),
});

export const sampleRequestForm = z.strictObject({
  scope: z.enum(["read_wishlists", "read_analytics", "read_webhooks"], "Choose a call."),
});

/** A new key as the page shows it, with its secret if it has one. */
export const issuedKeySchema = z.object({ keyId: z.string(), secret: z.string().optional(), name: z.string() });
