import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FilledText } from "../../../app/email/filled-text.server.ts";
import { closeMail, sendMail } from "../../../app/email/transport.server.ts";
import { provideEnv } from "../../../app/platform/process/env.server.ts";
import { ENCRYPTION_KEY, TOKEN_SECRET } from "../../support/app/service.ts";
import { portOf } from "../../support/http/ports.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const received: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      received.push(Buffer.concat(chunks).toString("latin1"));
      done();
    });
  },
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  provideEnv({
    DATABASE_URL: "postgres://127.0.0.1/none",
    TOKEN_SECRETS: TOKEN_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    SMTP_URL: `smtp://127.0.0.1:${portOf(server.server)}`,
    MAIL_FROM: "wishlist@mail.example",
    DKIM_DOMAIN: "mail.example",
    DKIM_SELECTOR: "one",
    DKIM_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  });
});
afterAll(async () => {
  closeMail();
  await new Promise<void>((resolve) => server.close(resolve));
});

/** Canonicalizes a header (RFC 6376 §3.4.2). */
const relaxedHeader = (line: string): string => {
  const colon = line.indexOf(":");
  const value = line.slice(colon + 1).replaceAll(/\r\n(?=[ \t])/g, "");
  return `${line.slice(0, colon).toLowerCase().trim()}:${value.replaceAll(/[ \t]+/g, " ").trim()}`;
};

/** Canonicalizes a body (RFC 6376 §3.4.4). */
const relaxedBody = (body: string): string =>
  body
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ (?=\r\n)/g, "")
    .replace(/(?:\r\n)*$/, "\r\n");

// Gmail and Yahoo offer to unsubscribe with one click only where the signature covers both headers (RFC 8058 §4).
test("a signature is that of the domain's key over the body and the headers, with those of one-click unsubscribing", async () => {
  const sent = await sendMail({
    sender: { name: "Lamps & more", replyTo: "help@lamps.example" },
    recipient: { name: "Änna", address: "anna@example.com" },
    subject: `Now €79: ${"long ".repeat(30)}`,
    html: FilledText.of(`<p>${"x  ".repeat(100)} </p>\n\n.\n`),
    text: FilledText.of("Now €79 \n\n\n"),
    messageId: "batch_1",
    unsubscribeUrl: "https://lamps.example/apps/wishlist/alerts/1/withdraw/all",
  });
  expect(sent.error).toBe(null);
  const [message = ""] = received;
  const end = message.indexOf("\r\n\r\n");
  const headers = message.slice(0, end).split(/\r\n(?![ \t])/);
  const named = (name: string): string => headers.find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? "";
  const signature = relaxedHeader(named("dkim-signature"));
  const tag = (name: string): string =>
    (new RegExp(String.raw`[:;]\s*${name}=([^;]*)`).exec(signature)?.[1] ?? "").replaceAll(" ", "");
  expect([tag("d"), tag("s"), tag("a"), tag("c")]).toEqual(["mail.example", "one", "rsa-sha256", "relaxed/relaxed"]);

  const body = relaxedBody(message.slice(end + 4));
  expect(tag("bh")).toBe(createHash("sha256").update(body, "latin1").digest("base64"));
  const covered = tag("h").toLowerCase().split(":");
  expect(covered).toEqual(
    expect.arrayContaining(["from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post"]),
  );
  const unsigned = signature.replace(/b=[^;]*$/, "b=");
  const text = [...covered.map((name) => relaxedHeader(named(name))), unsigned].join("\r\n");
  expect(createVerify("sha256").update(text, "latin1").verify(publicKey, tag("b"), "base64")).toBe(true);
});
