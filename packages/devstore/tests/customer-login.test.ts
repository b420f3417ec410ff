// @module-tag matrix

import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { holdClock, nowMs } from "../../../app/platform/clock.server.ts";
import { createDevstore, type Devstore } from "../devstore.ts";

const ORIGIN = "http://127.0.0.1:5173";
const CALLBACK = `${ORIGIN}/account/authorize`;
const HOME = `${ORIGIN}/`;
const CLIENT = "shp_a-client";
const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const PIET = { id: "702", firstName: "Piet", lastName: "O'Hara", email: "piet@example.com" };

const configurationSchema = z.looseObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  end_session_endpoint: z.url(),
  jwks_uri: z.url(),
});
const tokensSchema = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
  id_token: z.string().optional(),
});

let shopify: Devstore;
let configuration: z.infer<typeof configurationSchema>;

beforeAll(async () => {
  shopify = await createDevstore({
    customerAccountClient: {
      clientId: CLIENT,
      redirectUris: [CALLBACK],
      logoutUris: [HOME],
      javaScriptOrigins: [ORIGIN],
    },
  });
  shopify.store().customers.add(ANNA, PIET);
  const response = await fetch(`${shopify.url}/.well-known/openid-configuration`);
  configuration = configurationSchema.parse(await response.json());
});
afterAll(() => shopify.close());
afterEach(() => {
  holdClock(undefined);
});

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
const newVerifier = (): string => randomBytes(32).toString("base64url");

function authorizationUrl(changes: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid email customer-account-api:full",
    state: "a-state",
    nonce: "a-nonce",
    code_challenge: challengeOf(newVerifier()),
    code_challenge_method: "S256",
    ...changes,
  };
  const url = new URL(configuration.authorization_endpoint);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

const visit = (address: string, cookie = ""): Promise<Response> =>
  fetch(address, { redirect: "manual", headers: { cookie } });

/** Chooses a customer on the login page. */
const choose = (address: string, customerId: string): Promise<Response> =>
  fetch(address, { method: "POST", redirect: "manual", body: new URLSearchParams({ customer_id: customerId }) });

function returned(response: Response): Record<string, string> {
  const location = response.headers.get("location") ?? "";
  expect([response.status, location.split("?")[0]]).toEqual([302, CALLBACK]);
  return Object.fromEntries(new URL(location).searchParams);
}

/** Logs a customer in. @returns the code with its verifier, and the cookie of the session */
async function logIn({ id } = ANNA) {
  const verifier = newVerifier();
  const response = await choose(authorizationUrl({ code_challenge: challengeOf(verifier) }), id);
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { code: returned(response)["code"] ?? "", verifier, cookie };
}

function requestTokens(fields: Record<string, string>, origin = ORIGIN): Promise<Response> {
  return fetch(configuration.token_endpoint, {
    method: "POST",
    headers: { origin },
    body: new URLSearchParams({ client_id: CLIENT, ...fields }),
  });
}

const exchange = ({ code, verifier }: { code: string; verifier: string }, changes: Record<string, string> = {}) =>
  requestTokens({
    grant_type: "authorization_code",
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
    ...changes,
  });

const tokensOf = async (response: Response) => tokensSchema.parse(await response.json());
const refresh = (token: string) => requestTokens({ grant_type: "refresh_token", refresh_token: token });

async function expectRefusal(response: Response, status: number, error: string): Promise<void> {
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error })]);
}

/** Asks the Customer Account API as a page of the shop front does. */
async function customerOf(accessToken: string): Promise<{ status: number; body: unknown }> {
  const discovered = await fetch(`${shopify.url}/.well-known/customer-account-api`);
  const { graphql_api: api } = z.object({ graphql_api: z.url() }).parse(await discovered.json());
  const response = await fetch(api, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN, authorization: accessToken },
    body: JSON.stringify({ query: "{ customer { id displayName emailAddress { emailAddress } } }" }),
  });
  expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  return { status: response.status, body: await response.json() };
}

describe("the login of a customer", () => {
  test("offers the store's customers", async () => {
    const response = await visit(authorizationUrl());
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain("Anna Berg");
    expect(page).toContain("piet@example.com");
  });

  test("returns a code and the state to the client", async () => {
    const parameters = returned(await choose(authorizationUrl(), ANNA.id));
    expect(parameters).toEqual({ code: expect.stringMatching(/^shcac_/) as unknown, state: "a-state" });
  });

  test("gives an access token that names the customer", async () => {
    const { access_token: token, expires_in: seconds } = await tokensOf(await exchange(await logIn(PIET)));
    expect(seconds).toBe(3600);
    expect(await customerOf(token)).toEqual({
      status: 200,
      body: {
        data: {
          customer: {
            id: "gid://shopify/Customer/702",
            displayName: "Piet O'Hara",
            emailAddress: { emailAddress: "piet@example.com" },
          },
        },
      },
    });
  });

  test("gives an id_token with the nonce, signed with a published key", async () => {
    const { id_token: idToken } = await tokensOf(await exchange(await logIn()));
    const { payload } = await jwtVerify(idToken ?? "", createRemoteJWKSet(new URL(configuration.jwks_uri)), {
      issuer: configuration.issuer,
      audience: CLIENT,
    });
    expect(payload).toMatchObject({ sub: "701", nonce: "a-nonce", email: "anna@example.com" });
  });

  test("is skipped by a browser with a session", async () => {
    const { cookie } = await logIn();
    expect(returned(await visit(authorizationUrl({ prompt: "none" }), cookie))).toHaveProperty("code");
    expect(returned(await visit(authorizationUrl(), cookie))).toHaveProperty("code");
    expect((await visit(authorizationUrl({ prompt: "login" }), cookie)).status).toBe(200);
  });

  test("with prompt=none and without a session ends with login_required", async () => {
    expect(returned(await visit(authorizationUrl({ prompt: "none" })))).toEqual({
      error: "login_required",
      state: "a-state",
    });
  });
});

describe("an authorization request", () => {
  test.each([
    ["an unknown client", { client_id: "another" }],
    ["no client", { client_id: undefined }],
    ["a redirect_uri that is not registered", { redirect_uri: `${ORIGIN}/other` }],
    ["a redirect_uri below a registered one", { redirect_uri: `${CALLBACK}/deeper` }],
    ["a redirect_uri of another host", { redirect_uri: "https://evil.example/account/authorize" }],
  ])("with %s is refused without a redirect", async (_case, changes) => {
    for (const send of [visit, (address: string) => choose(address, ANNA.id)]) {
      const response = await send(authorizationUrl(changes));
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    }
  });

  test.each([
    ["response_type", { response_type: "token" }],
    ["scope", { scope: "email" }],
    ["code_challenge", { code_challenge: undefined }],
    ["code_challenge", { code_challenge: "short" }],
    ["code_challenge_method", { code_challenge_method: "plain" }],
  ])("with a wrong %s returns invalid_request to the client", async (_name, changes) => {
    expect(returned(await choose(authorizationUrl(changes), ANNA.id))).toMatchObject({
      error: "invalid_request",
      state: "a-state",
    });
  });

  test("refuses a login that another site submits", async () => {
    const response = await fetch(authorizationUrl(), {
      method: "POST",
      redirect: "manual",
      headers: { "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ customer_id: ANNA.id }),
    });
    expect(response.status).toBe(403);
  });
});

describe("the token endpoint", () => {
  test("refuses a wrong verifier, and the code with it", async () => {
    const login = await logIn();
    await expectRefusal(await exchange(login, { code_verifier: newVerifier() }), 400, "invalid_grant");
    await expectRefusal(await exchange(login), 400, "invalid_grant");
  });

  test("accepts a code once", async () => {
    const login = await logIn();
    expect((await exchange(login)).status).toBe(200);
    await expectRefusal(await exchange(login), 400, "invalid_grant");
  });

  test("refuses an expired code", async () => {
    const login = await logIn();
    holdClock(new Date(nowMs() + 10 * 60_000));
    await expectRefusal(await exchange(login), 400, "invalid_grant");
  });

  test("refuses another redirect_uri than the authorization's", async () => {
    await expectRefusal(await exchange(await logIn(), { redirect_uri: HOME }), 400, "invalid_grant");
  });

  test("refuses another client", async () => {
    await expectRefusal(await exchange(await logIn(), { client_id: "another" }), 401, "invalid_client");
  });

  test("refuses another grant type", async () => {
    await expectRefusal(await requestTokens({ grant_type: "password" }), 400, "unsupported_grant_type");
  });

  test("refuses origins that are not registered, and a request without one", async () => {
    const fields = { grant_type: "authorization_code" };
    await expectRefusal(await requestTokens(fields, "http://127.0.0.1:5174"), 401, "invalid_token");
    const withoutOrigin = await fetch(configuration.token_endpoint, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    await expectRefusal(withoutOrigin, 401, "invalid_token");
  });

  test("allows registered origins to read its responses, and no other", async () => {
    const allowed = await exchange(await logIn());
    expect(allowed.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    const refused = await requestTokens({}, "https://evil.example");
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a refresh token", () => {
  test("is exchanged once for new tokens", async () => {
    const first = await tokensOf(await exchange(await logIn()));
    const second = await tokensOf(await refresh(first.refresh_token));
    expect(await customerOf(second.access_token)).toMatchObject({
      body: { data: { customer: { id: "gid://shopify/Customer/701" } } },
    });
    await expectRefusal(await refresh(first.refresh_token), 400, "invalid_grant");
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  test("outlives the access token, and expires after thirty days", async () => {
    const first = await tokensOf(await exchange(await logIn()));
    const started = nowMs();
    holdClock(new Date(started + 3_600_000));
    expect((await customerOf(first.access_token)).status).toBe(401);
    const second = await tokensOf(await refresh(first.refresh_token));
    holdClock(new Date(started + 3_600_000 + 30 * 86_400_000));
    await expectRefusal(await refresh(second.refresh_token), 400, "invalid_grant");
  });
});

describe("the logout", () => {
  function logoutUrl(idToken: string | undefined, target?: string): string {
    const url = new URL(configuration.end_session_endpoint);
    if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
    if (target !== undefined) url.searchParams.set("post_logout_redirect_uri", target);
    return url.href;
  }

  test("revokes the customer's tokens, ends the session and returns to the client", async () => {
    const login = await logIn();
    const tokens = await tokensOf(await exchange(login));
    const response = await visit(logoutUrl(tokens.id_token, HOME), login.cookie);
    expect([response.status, response.headers.get("location")]).toEqual([302, HOME]);
    expect((await customerOf(tokens.access_token)).status).toBe(401);
    await expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    expect(returned(await visit(authorizationUrl({ prompt: "none" }), login.cookie))).toHaveProperty("error");
  });

  test("accepts an expired id_token", async () => {
    const { id_token: idToken } = await tokensOf(await exchange(await logIn()));
    holdClock(new Date(nowMs() + 86_400_000));
    expect((await visit(logoutUrl(idToken))).status).toBe(302);
  });

  test("needs an id_token of the store, and a registered address to return to", async () => {
    const tokens = await tokensOf(await exchange(await logIn()));
    const forged = [tokens.id_token?.split(".")[0], JSON.stringify(decodeJwt(tokens.id_token ?? "")), "x"].join(".");
    for (const address of [
      logoutUrl(undefined),
      logoutUrl(forged),
      logoutUrl(tokens.id_token, "https://evil.example/"),
    ]) {
      expect((await visit(address)).status).toBe(400);
    }
    expect((await customerOf(tokens.access_token)).status).toBe(200);
  });
});
