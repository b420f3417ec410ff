import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hmacSha256 } from "../../app/platform/hmac.ts";

test("the same as Node's own, for keys below, at and above a block's 64 bytes and any text", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (key, texts) => {
      const sign = hmacSha256(key);
      for (const signed of texts) expect(sign(signed)).toEqual(createHmac("sha256", key).update(signed).digest());
    }),
    { examples: [63, 64, 65].map((length) => ["k".repeat(length), [""]]) },
  );
});
