import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { turnOn } from "../support/app/alerts.ts";
import { client } from "../support/app/client.ts";
import { EMAIL_FORM, emitPriceAlerts } from "../support/app/emails.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { customerSessionToken } from "../support/app/session-token.ts";
import { exchange, guestToken, issueKey, publishKey } from "../support/app/shop.ts";
import { startService } from "../support/app/service.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const TOKEN = randomBytes(24).toString("hex");
const METRICS_TOKEN = randomBytes(24).toString("hex");

let connected: Connected;
let shop: ConnectedShop;

beforeAll(async () => {
  connected = await startConnected({ NODE_ENV: "test", MAIL_REPORTS_TOKEN: TOKEN, METRICS_TOKEN }, { smtp: {} });
});
afterAll(() => connected.close());

beforeEach(async () => {
  connected.shopify.inbox.clear();
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  connected.shopify.store(domain).installation.scopes.push("read_customers");
  shop = await connectShop(connected.service, connected.shopify, { domain });
  shop.store.customers.add({ ...ANNA });
  await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
  const form = { ...EMAIL_FORM, kinds: ["price_dropped"], intent: "save" };
  await merchant(connected.service, shop).send("/app/alerts/email", form);
});

/** Emails a customer, and waits until the mail server has accepted it. @returns the header of the message as the customer gets it */
async function send(earlier = 0): Promise<{ header: string; messageId: string }> {
  const { inbox } = connected.shopify;
  inbox.clear();
  await emitPriceAlerts((sql, values) => connected.service.database.rows(sql, values), shop.id, [ANNA.id]);
  const { headers } = await inbox.next();
  const valueOf = (name: string): string => headers.find((header) => header.name === name)?.value ?? "";
  await until("the record of the attempt", async () => (await log()).length === earlier + 1 && !(await isWaiting()));
  const header = ["From", "To", "Subject", "Message-ID"].map((name) => `${name}: ${valueOf(name.toLowerCase())}`);
  return { header: header.join("\r\n"), messageId: valueOf("message-id") };
}

async function isWaiting(): Promise<boolean> {
  return (await log()).some((row) => row.startsWith("pending"));
}

/** Returns the log of emails as the admin shows it: the last attempt of each delivery. */
async function log(): Promise<string[]> {
  const rows = await connected.service.database.rows<{ shown: string }>(
    `SELECT concat_ws(' ', d.status, d.attempts, a.status, a.error) AS shown
       FROM webhook_delivery d
       LEFT JOIN webhook_attempt a ON a.shop_id = d.shop_id AND a.delivery_id = d.id AND a.number = d.attempts
      WHERE d.shop_id = $1 AND d.endpoint_id = 'email' ORDER BY d.id`,
    [shop.id],
  );
  return rows.map(({ shown }) => shown);
}

async function report(
  body: string | object,
  { authorization = `Bearer ${TOKEN}`, type = "message/rfc822" }: { authorization?: string; type?: string } = {},
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${connected.service.url}/mail/reports`, {
    method: "POST",
    headers: { authorization, "content-type": typeof body === "string" ? type : "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const outcome = (...outcomes: string[]) => ({ status: 200, json: { ok: true, data: { outcomes } } });

/** Returns the email of a mail server about a message that came back (RFC 3464). */
function bounce(header: string, { status = "5.1.1", action = "failed", recipient = ANNA.email } = {}): string {
  return [
    "From: MAILER-DAEMON@mail.example.com",
    "To: wishlist@mail.example.com",
    "Subject: Undelivered Mail Returned to Sender",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "I'm sorry to have to inform you that your message could not be delivered.",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mail.example.com",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    "Diagnostic-Code: smtp; 550",
    `    ${status} <${recipient}> was not accepted`,
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    header,
    "",
    "--b--",
    "",
  ].join("\r\n");
}

describe("a message that comes back", () => {
  test("counts as not sent in the log, and its address gets nothing more, until the customer has another", async () => {
    const { header } = await send();
    expect(await log()).toEqual(["succeeded 1 250"]);
    expect(await report(bounce(header))).toEqual(outcome("suppressed"));
    expect(await log()).toEqual(["failed 2 550 the email came back: 550 5.1.1 <the address> was not accepted"]);
    for (const text of await textOfEveryTable(connected.service.database)) expect(text).not.toContain(ANNA.email);

    await emitPriceAlerts((sql, values) => connected.service.database.rows(sql, values), shop.id, [ANNA.id]);
    await until("the second message", async () => (await log())[1]?.startsWith("failed"));
    expect((await log())[1]).toBe("failed 1 the customer’s address has refused an email before");
    Object.assign(shop.store.customers.byId(ANNA.id) ?? {}, { email: "anna.new@example.com" });
    await send(2);
    expect((await log())[2]).toBe("succeeded 1 250");
  });

  test("is recorded once, however often it is reported", async () => {
    const { header } = await send();
    for (let n = 0; n < 3; n++) expect(await report(bounce(header))).toEqual(outcome("suppressed"));
    expect(await log()).toEqual([expect.stringMatching(/^failed 2 /)]);
  });

  test("from where it was forwarded suppresses the address to which it was sent, and names neither", async () => {
    const { header } = await send();
    expect(await report(bounce(header, { recipient: "elsewhere@forward.example" }))).toEqual(outcome("suppressed"));
    await emitPriceAlerts((sql, values) => connected.service.database.rows(sql, values), shop.id, [ANNA.id]);
    await until(
      "the second message",
      async () => (await log())[1] === "failed 1 the customer’s address has refused an email before",
    );
    for (const text of await textOfEveryTable(connected.service.database)) expect(text).not.toContain("elsewhere@");
  });

  test.each([
    ["for a reason that is not the address", { status: "5.7.1" }, "recorded", /^failed 2 550/],
    ["after days in which the server tried", { status: "4.4.7" }, "recorded", /^failed 2 550/],
    ["only later than usual", { status: "4.4.1", action: "delayed" }, "ignored", /^succeeded 1 250$/],
  ])("%s suppresses no address", async (_reason, values, result, row) => {
    const { header } = await send();
    expect(await report(bounce(header, values))).toEqual(outcome(result));
    expect(await log()).toEqual([expect.stringMatching(row)]);
    expect(
      await connected.service.database.rows("SELECT 1 FROM email_suppression WHERE shop_id = $1", [shop.id]),
    ).toEqual([]);
  });
});

test("a provider's reports, as JSON, are recorded one by one", async () => {
  const { messageId } = await send();
  const first = { message_id: messageId, recipient: ANNA.email, kind: "complaint" };
  const unknown = { ...first, message_id: `<batch_${"0".repeat(32)}.${shop.id}@mail.example.com>` };
  const foreign = { ...first, message_id: "<0100018c@email.amazonses.com>" };
  expect(await report({ reports: [first, unknown, foreign] })).toEqual(outcome("suppressed", "unknown", "unknown"));
  expect(await log()).toEqual(["failed 2 the recipient reported the email as spam"]);
});

test("a message of one shop is unknown under the id of another", async () => {
  const { messageId } = await send();
  const other = await connectShop(connected.service, connected.shopify, {
    domain: `store-${randomBytes(4).toString("hex")}.myshopify.com`,
  });
  const message_id = messageId.replace(`.${shop.id}@`, `.${other.id}@`);
  expect(await report({ reports: [{ message_id, recipient: ANNA.email, kind: "bounce" }] })).toEqual(
    outcome("unknown"),
  );
  expect(await log()).toEqual(["succeeded 1 250"]);
});

describe("the path for reports", () => {
  test.each([
    ["no token", ""],
    ["another token", `Bearer ${"a1".repeat(24)}`],
    ["another password", `Basic ${Buffer.from("mail:wrong").toString("base64")}`],
  ])("refuses %s with 401 and changes nothing", async (_what, authorization) => {
    const { header } = await send();
    expect(await report(bounce(header), { authorization })).toMatchObject({
      status: 401,
      json: { error: { code: "invalid_token" } },
    });
    expect(await log()).toEqual(["succeeded 1 250"]);
  });

  test("refuses every other kind of token and signature with 401", async () => {
    const call = client(connected.service.url);
    const key = await issueKey(shop.id);
    const body = { reports: [{ message_id: "<batch_1>", recipient: ANNA.email, kind: "bounce" }] };
    const bearers = {
      "an API key": key.keyId,
      "its secret": key.secret,
      "an access token of /v1": await exchange(call, key),
      "an access token of a shopper": await guestToken(call, shop),
      "a publishable key": await publishKey(shop),
      "a customer's session token": customerSessionToken(shop.domain),
      "a staff member's session token": shop.sessionToken(),
      "the token for metrics": METRICS_TOKEN,
      "the app's secret": connected.shopify.env.SHOPIFY_API_SECRET,
    };
    for (const [what, token] of Object.entries(bearers)) {
      const { status } = await report(body, { authorization: `Bearer ${token}` });
      expect(status, what).toBe(401);
    }
    const basic = Buffer.from(`${key.keyId}:${key.secret}`).toString("base64");
    expect((await report(body, { authorization: `Basic ${basic}` })).status).toBe(401);

    const json = JSON.stringify(body);
    const { SHOPIFY_API_SECRET: secret } = connected.shopify.env;
    const signatures = {
      query: `?${connected.shopify.proxyQuery(shop.domain)}`,
      headers: {
        "content-type": "application/json",
        "x-shopify-shop-domain": shop.domain,
        "x-shopify-hmac-sha256": createHmac("sha256", secret).update(json).digest("base64"),
      },
    };
    const signed = await fetch(`${connected.service.url}/mail/reports${signatures.query}`, {
      method: "POST",
      headers: signatures.headers,
      body: json,
    });
    expect(signed.status).toBe(401);
  });

  test("takes the token as a password, as addresses have it", async () => {
    const authorization = `Basic ${Buffer.from(`mail:${TOKEN}`).toString("base64")}`;
    expect(await report("Subject: Out of office\r\n\r\nBack on Monday.", { authorization })).toEqual(
      outcome("unknown"),
    );
  });

  test.each([
    ["without reports", { reports: [] }, 400, "invalid_request"],
    [
      "with a misspelt field",
      { reports: [{ messageId: "x", recipient: "a@b.example", kind: "bounce" }] },
      400,
      "invalid_request",
    ],
    ["with more than 100 reports", { reports: Array.from({ length: 101 }, () => ({})) }, 400, "invalid_request"],
    ["that is empty", "", 400, "invalid_request"],
    ["of more than 256 KiB", "x".repeat(256 * 1024 + 1), 413, "payload_too_large"],
  ])("refuses a body %s", async (_what, body, status, code) => {
    expect(await report(body)).toMatchObject({ status, json: { error: { code } } });
  });

  test("does not exist for a service without the token", async () => {
    const service = await startService();
    onTestFinished(() => service.stop().then(() => undefined));
    const response = await fetch(`${service.url}/mail/reports`, { method: "POST", body: "x" });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
  });
});
