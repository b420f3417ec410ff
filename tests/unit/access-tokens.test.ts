import { afterEach, beforeAll, expect, test } from "vitest";
import { signToken, verifyToken } from "../../app/access/tokens.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";

const ISSUED = new Date("2026-03-01T12:00:00.700Z");
const token = {
  keyId: "wlk_key",
  shop: "shop.example",
  scopes: ["read_wishlists"],
  owner: undefined,
  storefront: false,
} as const;

beforeAll(() => {
  provideEnv({
    TOKEN_SECRETS: "vH2sKq8Zr1Xw5Ty9Lm3Np7Bc4Df6Gj0QaUeRoIi",
    ENCRYPTION_KEYS: `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`,
  });
});
afterEach(() => holdClock(undefined));

/** Milliseconds after the second in which the token was issued. */
function later(milliseconds: number): Date {
  return new Date(Math.floor(ISSUED.getTime() / 1000) * 1000 + milliseconds);
}

test("a token is valid for one hour after its issue", async () => {
  holdClock(ISSUED);
  const [seen, unseen] = [await signToken(token), await signToken(token)];
  holdClock(later(3_599_999));
  expect(await verifyToken(seen)).toEqual({ ...token, expiresAt: later(3_600_000).getTime() });
  holdClock(later(3_600_000));
  expect(await verifyToken(unseen)).toBe("token_expired");
});

test("a token that was accepted before is refused when it expires", async () => {
  holdClock(ISSUED);
  const signed = await signToken(token);
  expect(await verifyToken(signed)).toMatchObject({ keyId: "wlk_key" });
  holdClock(later(3_600_000));
  expect(await verifyToken(signed)).toBe("token_expired");
  // The result depends on the given time only, even if the clock is set back.
  holdClock(ISSUED);
  expect(await verifyToken(signed)).toMatchObject({ keyId: "wlk_key" });
});

test("an accepted token does not admit one with another signature", async () => {
  holdClock(ISSUED);
  const signed = await signToken(token);
  expect(await verifyToken(signed)).toMatchObject({ keyId: "wlk_key" });
  const [header, payload, signature = ""] = signed.split(".");
  expect(await verifyToken([header, payload, `${signature.slice(1)}A`].join("."))).toBe("invalid_token");
});

test("a publishable key's token has the audience of browsers' tokens", async () => {
  holdClock(ISSUED);
  const guest = { ...token, owner: { kind: "guest", id: "hash" }, storefront: true } as const;
  const signed = await signToken(guest);
  expect(await verifyToken(signed)).toMatchObject(guest);
  const claims: unknown = JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString());
  expect(claims).toMatchObject({ aud: "wishlist-headless/v1/storefront" });
});

test("a publishable key's token without an owner is refused", async () => {
  holdClock(ISSUED);
  expect(await verifyToken(await signToken({ ...token, storefront: true }))).toBe("invalid_token");
});

test("a guest's token that a key with a secret would have issued is refused", async () => {
  const guest = { ...token, owner: { kind: "guest", id: "hash" } } as const;
  expect(await verifyToken(await signToken(guest))).toBe("invalid_token");
});
