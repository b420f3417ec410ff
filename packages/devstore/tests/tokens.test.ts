// @module-tag matrix

import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { API_KEY, API_SECRET, startStage, type Stage } from "./fixtures/devstore.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => stage.close());

const SHOP = "larkfell-outdoor.myshopify.com";
const STAFF = "90210000001";
const responseSchema = z.object({
  access_token: z.string(),
  scope: z.string(),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  refresh_token_expires_in: z.number().optional(),
  associated_user: z.object({ id: z.number() }).optional(),
});

async function sessionToken(claims: Record<string, unknown> = {}, secret = API_SECRET, alg = "HS256"): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  const payload = {
    iss: `https://${SHOP}/admin`,
    dest: `https://${SHOP}`,
    aud: API_KEY,
    sub: STAFF,
    exp: at + 60,
    nbf: at,
    iat: at,
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

async function ask(fields: Record<string, unknown>, host = SHOP): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${stage.devstore.url}/admin/oauth/access_token`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-host": host },
    body: JSON.stringify(fields),
  });
  return { status: response.status, body: await response.json() };
}

const exchange = async (changes: Record<string, unknown> = {}) =>
  ask({
    client_id: API_KEY,
    client_secret: API_SECRET,
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: await sessionToken(),
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
    expiring: "1",
    ...changes,
  });

const refresh = (refreshToken: string | undefined) =>
  ask({ client_id: API_KEY, client_secret: API_SECRET, grant_type: "refresh_token", refresh_token: refreshToken });

describe("token exchange", () => {
  test("issues an offline token for an hour and a refresh token for ninety days", async () => {
    const { status, body } = await exchange();
    expect(status).toBe(200);
    expect(responseSchema.parse(body)).toMatchObject({
      scope: "read_products,write_app_proxy",
      expires_in: 3600,
      refresh_token_expires_in: 90 * 24 * 3600,
    });
  });

  test("issues a token without expiry unless an expiring one is requested", async () => {
    const { body } = await exchange({ expiring: "0" });
    expect(responseSchema.parse(body)).not.toHaveProperty("expires_in");
  });

  test("issues an online token with the staff member's data", async () => {
    const { body } = await exchange({
      requested_token_type: "urn:shopify:params:oauth:token-type:online-access-token",
    });
    expect(responseSchema.parse(body)).toMatchObject({ expires_in: 86_399, associated_user: { id: Number(STAFF) } });
  });

  test.each([
    ["client_id", { client_id: "another" }, "application_cannot_be_found"],
    ["client_secret", { client_secret: "another" }, "invalid_client"],
    ["grant_type", { grant_type: "password" }, "unsupported_grant_type"],
    ["subject_token_type", { subject_token_type: "jwt" }, "invalid_request"],
    ["requested_token_type", { requested_token_type: "eternal" }, "invalid_request"],
    ["expiring", { expiring: "maybe" }, "invalid_request"],
    ["subject_token", { subject_token: "no.to.ken" }, "invalid_subject_token"],
  ])("refuses a wrong %s", async (_field, changes, error) => {
    expect(await exchange(changes)).toMatchObject({ status: 400, body: { error } });
  });

  const past = Math.floor(Date.now() / 1000) - 60;
  test.each([
    ["another secret", async () => sessionToken({}, "another")],
    ["another algorithm", async () => sessionToken({}, API_SECRET, "HS384")],
    ["another app's audience", async () => sessionToken({ aud: "another" })],
    ["another shop", async () => sessionToken({ dest: "https://another.myshopify.com" })],
    ["another issuer", async () => sessionToken({ iss: "https://another.myshopify.com/admin" })],
    ["a subject that is no staff member", async () => sessionToken({ sub: "1" })],
    ["no expiry", async () => sessionToken({ exp: undefined })],
    ["an expiry that is past", async () => sessionToken({ exp: past })],
    ["a start that is to come", async () => sessionToken({ nbf: past + 600 })],
  ])("refuses a session token with %s", async (_name, token) => {
    const response = await exchange({ subject_token: await token() });
    expect(response).toMatchObject({ status: 400, body: { error: "invalid_subject_token" } });
  });

  test("refuses another shop's address", async () => {
    expect(await ask({}, "another.myshopify.com")).toMatchObject({ status: 404 });
  });
});

describe("refresh", () => {
  test("ends the access token that came with the refresh token", async () => {
    const first = responseSchema.parse((await exchange()).body);
    const query = async (token: string) => {
      const response = await fetch(`${stage.devstore.url}/admin/api/2026-10/graphql.json`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-host": SHOP, "x-shopify-access-token": token },
        body: JSON.stringify({ query: "{ shop { id } }" }),
      });
      return response.status;
    };
    expect(await query(first.access_token)).toBe(200);
    const second = responseSchema.parse((await refresh(first.refresh_token)).body);
    expect(await query(first.access_token)).toBe(401);
    expect(await query(second.access_token)).toBe(200);
  });

  test("exchanges each refresh token once for a new pair", async () => {
    const first = responseSchema.parse((await exchange()).body);
    const second = responseSchema.parse((await refresh(first.refresh_token)).body);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 200 });
  });

  test("is refused after the app is uninstalled", async () => {
    const { refresh_token: token } = responseSchema.parse((await exchange()).body);
    await stage.control("uninstall");
    expect(await refresh(token)).toMatchObject({ status: 400, body: { error: "app_not_installed" } });
    await stage.control("install");
    expect(await refresh(token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});

test("the control page's faults apply to the token endpoint", async () => {
  await stage.control("faults", { faults: { token: "error" } });
  expect((await exchange()).status).toBe(500);
  await stage.control("reset");
  expect((await exchange()).status).toBe(200);
});
