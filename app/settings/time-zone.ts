import { z } from "zod";

/** An IANA name that this runtime can reckon with. */
export const timeZoneSchema = z.string("Choose a time zone.").refine((zone) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    // An offset such as +02:00 is one to JavaScript, too, and another one to PostgreSQL.
    return /^[A-Za-z][\w+/-]*$/.test(zone);
  } catch {
    return false;
  }
}, "is not an IANA time zone such as Europe/Berlin");

/** The names to choose from. */
export function timeZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
