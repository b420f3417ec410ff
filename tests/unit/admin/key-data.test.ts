import { expect, test } from "vitest";
import type { ApiKey } from "../../../app/access/views.ts";
import { keyState } from "../../../app/admin/keys/key-data.ts";

const at = new Date("2026-11-20T09:30:00Z");
const [before, after] = [new Date(at.getTime() - 1), new Date(at.getTime() + 1)];
const KEY: ApiKey = {
  ...{ keyId: "wlk_1", name: "Storefront", scopes: [], secretHint: "abcd", createdAt: before, lastUsedAt: null },
  kind: "admin",
  allowedOrigins: [],
  ...{ expiresAt: null, revokedAt: null, successorKeyId: null },
};

test.each([
  ["active", {}],
  ["active", { expiresAt: after }],
  ["rotated", { expiresAt: after, successorKeyId: "wlk_2" }],
  ["expired", { expiresAt: before }],
  ["expired", { expiresAt: at }],
  ["expired", { expiresAt: before, successorKeyId: "wlk_2" }],
  ["revoked", { revokedAt: before }],
  ["revoked", { revokedAt: before, expiresAt: after, successorKeyId: "wlk_2" }],
  ["revoked", { revokedAt: before, expiresAt: before }],
] as const)("the status is %s for a key with %j", (state, facts) => {
  expect(keyState({ ...KEY, ...facts }, at)).toBe(state);
});
