import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime } from "../../app/platform/text/iso-time.ts";

test("isoTime equals Date's text for every millisecond from year 1 to 9999", () => {
  const at = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(at, (date) => {
      expect(isoTime(date.getTime())).toBe(date.toISOString());
    }),
    { numRuns: 20_000 },
  );
});
