import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newSecret, signatureHeader, signingKey } from "../../../app/webhooks/delivery/signature.server.ts";

const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const BODY = '{"event":"wishlist.shared","data":{"customerId":"Zoë 🎁"}}';

/** Verifies a signature like a receiver. @throws when the signature is invalid */
function verify(
  secret: string,
  { signature, timestamp, body }: { signature: string; timestamp: number; body: string },
) {
  new Webhook(secret).verify(body, {
    "webhook-id": ID,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  });
}

/** Receivers refuse old timestamps. */
function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

test("the published example yields the published signature", () => {
  expect(
    signatureHeader([signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")], ID, 1614265330, '{"test": 2432232314}'),
  ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

describe("a receiver with the Standard Webhooks library", () => {
  const [old, current, other] = [newSecret(), newSecret(), newSecret()];
  const timestamp = seconds();
  const signature = signatureHeader([signingKey(current), signingKey(old)], ID, timestamp, BODY);

  test("accepts a signature of the old and of the new secret", () => {
    expect(() => verify(current, { signature, timestamp, body: BODY })).not.toThrow();
    expect(() => verify(old, { signature, timestamp, body: BODY })).not.toThrow();
  });

  test("rejects another secret, body or time", () => {
    expect(() => verify(other, { signature, timestamp, body: BODY })).toThrow("No matching signature");
    expect(() => verify(current, { signature, timestamp, body: BODY + " " })).toThrow("No matching signature");
    expect(() => verify(current, { signature, timestamp: timestamp + 1, body: BODY })).toThrow("No matching signature");
  });
});

test("a secret is 32 random bytes", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
  }
});
