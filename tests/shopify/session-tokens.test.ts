import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MERCHANT_BROWSER } from "../../packages/devstore/devstore.ts";
import { takeApart } from "../support/access/jwt.ts";
import { signSessionToken } from "../support/app/session-token.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

let connected: Connected;
let shop: ConnectedShop;
let other: ConnectedShop;

beforeAll(async () => {
  connected = await startConnected();
  shop = await connectShop(connected.service, connected.shopify);
  other = await connectShop(connected.service, connected.shopify);
});
afterAll(() => connected.close());

const seconds = (): number => Math.floor(Date.now() / 1000);
const CUSTOMER = "gid://shopify/Customer/7001";

/** Claims of a staff member of the shop. */
const staff = (claims: Record<string, unknown> = {}): string => connected.shopify.sessionToken(shop.domain, claims);
/** Claims of a customer of the shop, as Shopify gives them to a customer account extension. */
const customer = (claims: Record<string, unknown> = {}): string =>
  staff({ iss: undefined, dest: shop.domain, sub: CUSTOMER, ...claims });

function signedByAnother(token: string): string {
  return signSessionToken(takeApart(token).payload, "shpss_another");
}

/** Whom a token is for: the surfaces of that kind accept it, and all others refuse it. */
type Kind = "staff" | "customer" | "visitor" | "nobody";

const TOKENS: [what: string, kind: Kind, token: () => string][] = [
  ["of a staff member", "staff", () => staff()],
  ["of a customer", "customer", () => customer()],
  ["of a customer, with the scheme of the shop", "customer", () => customer({ dest: `https://${shop.domain}` })],
  ["of a visitor who is not logged in", "visitor", () => customer({ sub: undefined })],
  ["of a customer, as if the admin had issued it", "nobody", () => staff({ sub: CUSTOMER })],
  ["of the admin, without a staff member", "nobody", () => staff({ sub: undefined })],
  ["of a staff member, without an issuer", "nobody", () => staff({ iss: undefined })],
  ["of a staff member, issued by another host", "nobody", () => staff({ iss: "https://evil.example/admin" })],
  [
    "of a staff member, issued by another shop's admin",
    "nobody",
    () => staff({ iss: `https://${other.domain}/admin` }),
  ],
  ["of a staff member, for another shop", "nobody", () => staff({ dest: `https://${other.domain}` })],
  ["of a staff member, for the shop without a scheme", "nobody", () => staff({ dest: shop.domain })],
  ["of a staff member, expired", "nobody", () => staff({ exp: seconds() - 60 })],
  ["of a staff member, for another app", "nobody", () => staff({ aud: "another app" })],
  ["of a staff member, signed with another secret", "nobody", () => signedByAnother(staff())],
  ["of a customer, expired", "nobody", () => customer({ exp: seconds() - 60 })],
  ["of a customer, for another app", "nobody", () => customer({ aud: "another app" })],
  ["of a customer, signed with another secret", "nobody", () => signedByAnother(customer())],
];

interface Surface {
  name: string;
  accepts: "staff" | "customer" | "none";
  send: (token: string) => Promise<Response>;
}

const IN_BROWSER = { "user-agent": MERCHANT_BROWSER };

function withHeader(path: string, authorization: (token: string) => string, method = "GET"): Surface["send"] {
  return (token) =>
    fetch(connected.service.url + path, {
      method,
      headers: { ...IN_BROWSER, authorization: authorization(token) },
      redirect: "manual",
      ...(method === "POST" ? { body: new URLSearchParams({ name: "Mine", scopes: "read_analytics" }) } : {}),
    });
}

/** The admin's address, as Shopify names it to the app. */
function hostOf({ domain }: ConnectedShop): string {
  return Buffer.from(`admin.shopify.com/store/${domain.replace(".myshopify.com", "")}`).toString("base64");
}

const bearer = (token: string): string => `Bearer ${token}`;

/** The surfaces of the admin, read from the routes so that none is missed. */
function adminSurfaces(): Surface[] {
  const folder = new URL("../../app/routes/", import.meta.url);
  return readdirSync(folder)
    .filter((file) => /^app\b.*\.tsx?$/.test(file))
    .flatMap((file): Surface[] => {
      const source = readFileSync(new URL(file, folder), "utf8");
      const route = file.replace(/\.tsx?$/, "");
      const segments = route.split(".").filter((part) => part !== "_index");
      const path = `/${segments.map((part) => (part.startsWith("$") ? "unknown" : part)).join("/")}`;
      const isPage = file.endsWith(".tsx");
      const data = isPage ? `${path}.data?_routes=routes%2F${encodeURIComponent(route)}` : path;
      const query = (token: string) =>
        new URLSearchParams({ embedded: "1", shop: shop.domain, host: hostOf(shop), id_token: token }).toString();
      const action = `${path}${isPage ? ".data?index" : ""}`;
      const surface = (how: string, send: Surface["send"]): Surface => ({
        name: `${route}, ${how}`,
        accepts: "staff",
        send,
      });
      return [
        ...(/export const loader = (?:admin(?:Loader|Resource)|productDownload)\(/.test(source)
          ? [
              surface("fetched", withHeader(data, bearer)),
              // Shopify's library takes a token without its scheme, too.
              surface(
                "fetched without the scheme",
                withHeader(data, (token) => token),
              ),
              surface("opened", (token) =>
                fetch(`${connected.service.url}${path}?${query(token)}`, { headers: IN_BROWSER, redirect: "manual" }),
              ),
            ]
          : []),
        ...(/export const action = admin(?:Action|Resource)\(/.test(source)
          ? [surface("submitted", withHeader(action, bearer, "POST"))]
          : []),
      ];
    });
}

const EXCHANGE: Surface = {
  name: "exchange",
  accepts: "customer",
  send: (token) =>
    fetch(`${connected.service.url}/v1/auth/customer-account-token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ session_token: token }),
    }),
};

const SURFACES: Surface[] = [
  ...adminSurfaces(),
  { name: "pages of Shopify's library", accepts: "staff", send: withHeader("/auth/unknown", bearer) },
  EXCHANGE,
  { name: "the API with the token as bearer", accepts: "none", send: withHeader("/v1/wishlists/7001", bearer) },
];

/** Returns whether a response lets the caller in. Shopify's library sends a page without a valid token to the page that fetches one. */
async function outcomeOf(response: Response): Promise<string> {
  await response.arrayBuffer();
  const { status } = response;
  const bounced = status === 302 && response.headers.get("location")?.startsWith("/auth/session-token?") === true;
  if (status === 401 || bounced) return "refused";
  return status === 200 || status === 204 || status === 400 || status === 404 || status === 422 ? "in" : `${status}`;
}

async function walk(token: () => string): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const { name, send } of SURFACES) outcomes[name] = await outcomeOf(await send(token()));
  return outcomes;
}

async function keysOf({ id }: ConnectedShop): Promise<number> {
  return (await connected.service.database.rows("SELECT 1 FROM api_key WHERE shop_id = $1", [id])).length;
}

test("every route of the admin that takes a session token is walked", () => {
  const folder = new URL("../../app/routes/", import.meta.url);
  const walked = new Set(SURFACES.map(({ name }) => name.split(",")[0]));
  const routes = readdirSync(folder).flatMap((file) => (/^app\b/.test(file) ? [file.replace(/\.tsx?$/, "")] : []));
  // A token in the link authenticates an export.
  expect(routes.filter((route) => !walked.has(route))).toEqual(["app.settings.data.export", "app.wishlists.export"]);
});

test.each(TOKENS)("a token %s gets in where it belongs, and nowhere else", async (_what, kind, token) => {
  const before = await keysOf(shop);
  const expected = SURFACES.map(({ name, accepts }) => [name, accepts === kind ? "in" : "refused"] as const);
  const outcomes = await walk(token);
  // A visitor is told to log in.
  if (kind === "visitor") expect(outcomes[EXCHANGE.name]).toBe("403");
  expect(outcomes).toEqual({ ...Object.fromEntries(expected), ...(kind === "visitor" ? { exchange: "403" } : {}) });
  if (kind !== "staff") expect(await keysOf(shop)).toBe(before);
});

test("a token of another shop's staff member reaches that shop only", async () => {
  const before = await keysOf(shop);
  const token = connected.shopify.sessionToken(other.domain);
  for (const { name, accepts, send } of SURFACES) {
    const response = await send(token);
    const text = await response.clone().text();
    expect([name, await outcomeOf(response)]).toEqual([name, accepts === "staff" ? "in" : "refused"]);
    expect([name, text.includes(shop.domain)]).toEqual([name, false]);
  }
  expect(await keysOf(shop)).toBe(before);
});
