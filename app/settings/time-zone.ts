import { z } from "zod";

/** An IANA time zone that this runtime knows. */
export const timeZoneSchema = z.string("Choose a time zone.").refine((zone) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    // JavaScript also accepts offsets such as +02:00, whose sign PostgreSQL reads the other way round.
    return /^[A-Za-z][\w+/-]*$/.test(zone);
  } catch {
    return false;
  }
}, "is not an IANA time zone such as Europe/Berlin");

/** Returns the time zones that a merchant can choose. */
export function timeZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
