import { createServer } from "node:http";
import { once } from "node:events";
import { createTransport, type SendMailOptions } from "nodemailer";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser } from "../../../tests/support/browser/browser.ts";
import { createDevstore } from "../devstore.ts";
import { APP_URL, startStage, type Stage } from "./fixtures/devstore.ts";
import { MATRIX } from "../../../tests/support/matrix.ts";

let stage: Stage;
let transport: ReturnType<typeof connect>;

/** Connects to an SMTP_URL, whose query is the app's. */
const connect = (url: string, tls: object = {}) =>
  createTransport({ url: url.replace(/\?.*/, ""), pool: true, maxConnections: 1, tls });

beforeAll(async () => {
  stage = await startStage({ data: "none", smtp: { user: "the app", password: "p@ss/word" } });
});
afterAll(() => stage.close());
beforeEach(() => {
  transport = connect(stage.devstore.env.SMTP_URL ?? "");
});
afterEach(async () => {
  transport.close();
  await stage.control("reset");
});

const send = (message: SendMailOptions = {}) =>
  transport.sendMail({ from: "A store <shop@store.example>", to: "ada@example.com", subject: "Hello", ...message });

const faults = () => stage.devstore.store().faults;
const inbox = () => stage.devstore.inbox;

/** Returns what an SMTP client finds wrong. */
const problem = async (sending: Promise<unknown>) =>
  z.object({ code: z.string(), responseCode: z.number().optional() }).parse(
    await sending.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );

describe("the mail server", () => {
  test("keeps sender, recipients, subject, both parts and headers of each message of a connection", async () => {
    await send({
      to: "Ada Byron <ada@example.com>",
      subject: "Grüße",
      text: "Dear Ada",
      html: "<p>Dear <b>Ada</b></p>",
    });
    await send({ to: ["bob@example.com", "cy@example.com"], headers: { "X-Reason": "a test" } });
    const [second, first] = inbox().messages();
    expect(first).toMatchObject({
      from: { name: "A store", address: "shop@store.example" },
      to: [{ name: "Ada Byron", address: "ada@example.com" }],
      subject: "Grüße",
      text: "Dear Ada",
      html: "<p>Dear <b>Ada</b></p>",
    });
    expect(second?.envelope).toEqual({ from: "shop@store.example", to: ["bob@example.com", "cy@example.com"] });
    expect(second?.headers).toContainEqual({ name: "x-reason", value: "a test" });
  });

  test("keeps the newest 300 messages", MATRIX, async () => {
    for (let sent = 0; sent < 302; sent++) await send({ subject: String(sent) });
    const subjects = inbox()
      .messages()
      .map(({ subject }) => subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([300, "301", "2"]);
  });

  test("refuses a message above 2 MB with 552 and keeps the connection", async () => {
    expect(await problem(send({ text: `${"a".repeat(70)}\n`.repeat(30_000) }))).toMatchObject({ responseCode: 552 });
    await send();
    expect(inbox().messages()).toHaveLength(1);
  });

  test("refuses a wrong password with 535", async () => {
    const url = new URL(stage.devstore.env.SMTP_URL ?? "");
    url.password = "wrong";
    const other = connect(url.href);
    expect(await problem(other.sendMail({ from: "a@a.example", to: "b@b.example" }))).toMatchObject({
      code: "EAUTH",
      responseCode: 535,
    });
    other.close();
  });

  test("accepts TLS from a client that trusts its certificate, and no other", async () => {
    for (const tls of ["starttls", "implicit"] as const) {
      const secure = await createDevstore({ smtp: { tls } });
      const trusting = connect(secure.env.SMTP_URL ?? "", { ca: secure.mailCertificate });
      const doubting = connect(secure.env.SMTP_URL ?? "");
      await trusting.sendMail({ from: "a@a.example", to: "b@b.example" });
      expect(secure.inbox.messages()).toHaveLength(1);
      expect(await problem(doubting.sendMail({ from: "a@a.example", to: "b@b.example" }))).toMatchObject({
        code: expect.stringMatching(/ETLS|ESOCKET|DEPTH_ZERO_SELF_SIGNED_CERT/),
      });
      trusting.close();
      doubting.close();
      await secure.close();
    }
  });

  test("is none without the option", async () => {
    const bare = await createDevstore();
    expect(bare.env).not.toHaveProperty("SMTP_URL");
    await bare.close();
  });
});

describe("faults of the mail server", () => {
  test.for([
    ["mail connection", 421],
    ["mail login", 535],
    ["mail recipient", 550],
    ["mail recipient", 450],
    ["mail message", 451],
  ] as const)("%s refuses with %d, then accepts", async ([on, status]) => {
    faults().inject({ on, behaviour: { status }, times: 1 });
    expect(await problem(send())).toMatchObject({ responseCode: status });
    await send();
    expect(inbox().messages()).toHaveLength(1);
  });

  test("one recipient of two is refused", async () => {
    faults().inject({ on: "mail recipient", operation: "bob@example.com", behaviour: { status: 550 } });
    const { rejected } = await send({ to: ["ada@example.com", "bob@example.com"] });
    expect(rejected).toEqual(["bob@example.com"]);
    expect(inbox().messages()[0]?.envelope.to).toEqual(["ada@example.com"]);
  });

  test("closes the connection during DATA, and keeps no message", async () => {
    faults().inject({ on: "mail message", behaviour: "closes", times: 1 });
    expect(await problem(send())).toMatchObject({ code: expect.stringMatching(/ECONN|ESOCKET/) });
    expect(inbox().messages()).toHaveLength(0);
  });

  test("accepts late, once a promise has resolved", async () => {
    const gate = Promise.withResolvers<undefined>();
    faults().inject({ on: "mail message", behaviour: { until: gate.promise }, times: 1 });
    let isSent = false;
    const sending = send().then(() => (isSent = true));
    // A second connection, whose message overtakes the first.
    const other = connect(stage.devstore.env.SMTP_URL ?? "");
    await other.sendMail({ from: "a@a.example", to: "bob@example.com" });
    expect(isSent).toBe(false);
    gate.resolve(undefined);
    await sending;
    expect(inbox().messages()).toHaveLength(2);
    other.close();
  });

  test("are switched by the control page", async () => {
    await stage.control("faults", { faults: { mail: "no_recipient" } });
    expect(await problem(send())).toMatchObject({ responseCode: 550 });
    await stage.control("faults", { faults: { mail: "slow", delayMs: 1 } });
    await send();
    expect(inbox().messages()).toHaveLength(1);
  });
});

describe("waiting for a message", () => {
  const listSchema = z.object({
    ok: z.literal(true),
    messages: z.array(z.object({ id: z.number(), subject: z.string() })),
  });
  const read = async (query: string) => {
    const response = await fetch(`${stage.devstore.url}/devstore/api/inbox?${query}`);
    return listSchema.parse(await response.json()).messages;
  };

  test("a process gets the oldest that matches, or the next", async () => {
    const forBob = inbox().next(({ envelope }) => envelope.to.includes("bob@example.com"));
    await send();
    await send({ to: "bob@example.com", subject: "For Bob" });
    expect((await forBob).subject).toBe("For Bob");
    expect((await inbox().next()).subject).toBe("Hello");
  });

  test("ends when the signal is aborted", async () => {
    const abort = new AbortController();
    const waiting = inbox().next(undefined, abort.signal);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(inbox().next(undefined, abort.signal)).rejects.toThrow("enough");
  });

  test("over HTTP, a request holds until a message after the given one arrives", async () => {
    await send({ subject: "First" });
    const [first] = await read("to=ada@example.com");
    const later = read(`to=ada@example.com&wait=30&after=${first?.id ?? 0}`);
    await send({ to: "bob@example.com" });
    await send({ subject: "Second" });
    expect(await later).toMatchObject([{ subject: "Second" }]);
    expect(await read("to=cy@example.com")).toEqual([]);
  });

  test("a query with an unknown parameter or a long wait is refused with 400", async () => {
    for (const query of ["from=a", "wait=61", "after=-1"]) {
      const { status } = await fetch(`${stage.devstore.url}/devstore/api/inbox?${query}`);
      expect(status).toBe(400);
    }
  });
});

describe("the inbox", () => {
  const home = () => `${stage.devstore.url}/store/larkfell-outdoor`;
  const HTML = `<!doctype html><html><head><title>Sale</title><style>
    p { color: rgb(1, 2, 3) } @media (prefers-color-scheme: dark) { p { color: rgb(4, 5, 6) } }</style></head>
    <body><p>Dear Ada</p><a href="${APP_URL}/hello">Shop</a><script>document.body.textContent = "script"</script></body></html>`;
  const withdrawal = (address: string) => ({
    "List-Unsubscribe": `<mailto:stop@store.example>, <${address}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });

  test("shows a message without scripts in both schemes and widths, its text and its headers", MATRIX, async () => {
    await send({ subject: "<b>Sale</b> & more", html: HTML, text: "Plain words", headers: { "X-Reason": "a test" } });
    await send({ subject: "Newer", text: "Newer text" });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${home()}/inbox`);
      await page.getByText("Newer text").waitFor();
      await page.getByRole("link", { name: "<b>Sale</b> & more" }).click();
      const paragraph = page.frameLocator("iframe").getByText("Dear Ada");
      await paragraph.waitFor();
      const color = () => paragraph.evaluate((element) => getComputedStyle(element).color);
      expect(await color()).toBe("rgb(1, 2, 3)");
      expect((await page.locator("iframe").boundingBox())?.width).toBe(640);
      await page.getByRole("link", { name: "Dark" }).click();
      await page.getByRole("link", { name: "360 px" }).click();
      await paragraph.waitFor();
      expect(await color()).toBe("rgb(4, 5, 6)");
      expect((await page.locator("iframe").boundingBox())?.width).toBe(360);
      const opened = page.waitForEvent("popup");
      await page.frameLocator("iframe").getByRole("link", { name: "Shop" }).click();
      // A browser without TLS gets the app's address on this machine.
      await expect(opened.then((popup) => popup.url())).resolves.toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hello$/);
      await page.getByRole("link", { name: "Text" }).click();
      await page.getByText("Plain words").waitFor();
      await page.getByRole("link", { name: "Headers" }).click();
      await page.getByRole("row", { name: "x-reason a test" }).waitFor();
    } finally {
      await browser.close();
    }
  });

  test("withdraws with one click: a POST without cookies, which follows no redirect", async () => {
    await send({ headers: withdrawal(`${APP_URL}/withdraw?token=1`) });
    const id = inbox().messages()[0]?.id ?? 0;
    expect(await (await fetch(`${home()}/inbox`)).text()).toContain("Unsubscribe</button>");
    const post = async () =>
      (await fetch(`${home()}/inbox/${id}/unsubscribe`, { method: "POST", headers: { cookie: "a=b" } })).text();
    stage.app.requests.length = 0;
    expect(await post()).toContain("Unsubscribed");
    const [request] = stage.app.requests;
    expect(request).toMatchObject({ method: "POST", target: "/withdraw?token=1", body: "List-Unsubscribe=One-Click" });
    expect(request?.headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded;charset=UTF-8" });
    expect(request?.headers).not.toHaveProperty("cookie");
    stage.app.respondWith((response) => void response.writeHead(302, { location: "/elsewhere" }).end());
    expect(await post()).toContain("the response is 302");
    stage.app.respondWith((response) => void response.writeHead(200).end());
  });

  test("offers no withdrawal without List-Unsubscribe-Post, and sends none to another machine", async () => {
    await send({ headers: { "List-Unsubscribe": `<${APP_URL}/withdraw>` } });
    expect(await (await fetch(`${home()}/inbox`)).text()).not.toContain("Unsubscribe</button>");
    await send({ headers: withdrawal("https://elsewhere.example/withdraw") });
    const id = inbox().messages()[0]?.id ?? 0;
    const page = await fetch(`${home()}/inbox/${id}/unsubscribe`, { method: "POST" });
    expect(await page.text()).toContain("it leaves this machine");
  });
});

test("a port in use for the mail server stops the start and releases the other ports", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await expect(createDevstore({ smtp: { port } })).rejects.toThrow("EADDRINUSE");
  taken.close();
});
