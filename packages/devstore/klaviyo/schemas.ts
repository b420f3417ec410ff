import { z } from "zod";
import { now } from "../../../app/platform/clock.server.ts";

/** Most events of a bulk request. */
const MAXIMUM_EVENTS = 1_000;
const MAXIMUM_PROPERTIES = 400;
const MAXIMUM_STRING_BYTES = 100_000;
const YEAR_MS = 365 * 86_400_000;

const text = z.string().refine((value) => Buffer.byteLength(value) <= MAXIMUM_STRING_BYTES, "is above 100 KB");
const optionalText = text.nullish();
/** JSON whose strings are not too long. */
const json: z.ZodType = z.lazy(() =>
  z.union([text, z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
);

const properties = z
  .record(z.string(), json)
  .refine((value) => Object.keys(value).length <= MAXIMUM_PROPERTIES, `has more than ${MAXIMUM_PROPERTIES} properties`);

const time = z.iso
  .datetime({ offset: true })
  .refine((value) => new Date(value).getUTCFullYear() > 1990, "is before 1991")
  .refine((value) => new Date(value).getTime() <= now().getTime() + YEAR_MS, "is more than a year in the future");

const metric = z.strictObject({
  data: z.strictObject({
    type: z.literal("metric"),
    attributes: z.strictObject({ name: z.string().min(1).max(127), service: optionalText }),
  }),
});

const location = z.strictObject({
  address1: optionalText,
  address2: optionalText,
  city: optionalText,
  country: optionalText,
  latitude: z.union([z.string(), z.number()]).nullish(),
  longitude: z.union([z.string(), z.number()]).nullish(),
  region: optionalText,
  zip: optionalText,
  timezone: optionalText,
  ip: optionalText,
});

const profileAttributes = z.strictObject({
  email: z.email().max(254).nullish(),
  phone_number: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/)
    .nullish(),
  external_id: optionalText,
  anonymous_id: optionalText,
  _kx: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  organization: optionalText,
  locale: optionalText,
  title: optionalText,
  image: optionalText,
  location: location.nullish(),
  properties: properties.nullish(),
});

/** Without `meta`, whose operations are not implemented here. */
const profile = z.strictObject({ type: z.literal("profile"), id: optionalText, attributes: profileAttributes });

function hasIdentifier({ id, attributes: given }: z.output<typeof profile>): boolean {
  return [id, given.email, given.phone_number, given.external_id, given.anonymous_id, given._kx].some(
    (one) => typeof one === "string" && one !== "",
  );
}

const profileData = z.strictObject({
  data: profile.refine(hasIdentifier, "needs an identifier: id, email, phone_number or external_id"),
});

const eventAttributes = {
  properties,
  time: time.nullish(),
  value: z.number().nullish(),
  value_currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullish(),
  backfill: z.boolean().nullish(),
  unique_id: optionalText,
  metric,
};

/** The body of `POST /api/events`. */
export const eventSchema = z.strictObject({
  data: z.strictObject({
    type: z.literal("event"),
    attributes: z.strictObject({ ...eventAttributes, profile: profileData }),
  }),
});

const bulkEntry = z.strictObject({
  type: z.literal("event-bulk-create"),
  attributes: z.strictObject({
    backfill: z.boolean().nullish(),
    profile: profileData,
    events: z.strictObject({
      data: z.array(z.strictObject({ type: z.literal("event"), attributes: z.strictObject(eventAttributes) })).min(1),
    }),
  }),
});

/** The body of `POST /api/event-bulk-create-jobs`. */
export const bulkSchema = z.strictObject({
  data: z.strictObject({
    type: z.literal("event-bulk-create-job"),
    attributes: z.strictObject({
      "events-bulk-create": z.strictObject({
        data: z
          .array(bulkEntry)
          .min(1)
          .refine(
            (entries) => entries.reduce((sum, entry) => sum + entry.attributes.events.data.length, 0) <= MAXIMUM_EVENTS,
            `has more than ${MAXIMUM_EVENTS} events`,
          ),
      }),
    }),
  }),
});

export type ProfileData = z.output<typeof profileData>["data"];
export type EventData = z.output<typeof bulkEntry>["attributes"]["events"]["data"][number]["attributes"];
