import { createTransport, type Transporter } from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool/index.js";
import { z } from "zod";
import { env, secrets } from "../platform/process/env.server.ts";
import { isAboutAddress, printable } from "./refusals.ts";
import { idOf, toMime, type Mail } from "./mime.server.ts";

/** Milliseconds for which a mail server may not respond. */
const TIMEOUT = 15_000;
/** Connections of this process. */
export const MAX_CONNECTIONS = 8;
/** Messages after which a connection is replaced, as some servers demand. */
const MAX_MESSAGES = 100;

/** How a mail server has responded. `status` is that of SMTP (RFC 5321 §4.2), null without a response. */
export interface MailResult {
  status: number | null;
  response: string | null;
  /** why the message was not accepted; null when it was */
  error: string | null;
  /** what the refusal is about: this address, this message, or everything that is sent now */
  refuses: "address" | "message" | "everything" | null;
}

/** Whether the operator has set a mail server. */
export function canSendMail(): boolean {
  return secrets().smtp !== undefined && env().mailFrom !== undefined;
}

let transporter: Transporter<SMTPPool.SentMessageInfo> | undefined;

function connect(): Transporter<SMTPPool.SentMessageInfo> {
  const { smtp, dkimPrivateKey } = secrets();
  if (!smtp) throw new Error("SMTP_URL is not set");
  const { dkim } = env();
  transporter ??= createTransport({
    pool: true,
    ...{ host: smtp.host, port: smtp.port, ...(smtp.auth ? { auth: smtp.auth } : {}) },
    ...{ secure: smtp.tls === "implicit", requireTLS: smtp.tls === "required", ignoreTLS: smtp.tls === "none" },
    // The queue of deliveries retries, and records each attempt.
    ...{ maxConnections: MAX_CONNECTIONS, maxMessages: MAX_MESSAGES, maxRequeues: 0 },
    ...{ connectionTimeout: TIMEOUT, greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT, dnsTimeout: TIMEOUT },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    ...(dkim && dkimPrivateKey !== undefined
      ? { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkimPrivateKey } }
      : {}),
  });
  return transporter;
}

/** Ends the connections. Later messages open others. */
export function closeMail(): void {
  transporter?.close();
  transporter = undefined;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EAUTH: "the mail server does not accept the user and the password",
  ECONNECTION: "the mail server can't be reached",
  ECONNREFUSED: "the mail server refused the connection",
  ECONNRESET: "the mail server closed the connection",
  EDNS: "the DNS look-up of the mail server failed",
  ETIMEDOUT: "the mail server did not respond in time",
  ESOCKET: "the connection to the mail server failed",
  ETLS: "the mail server offers no encryption",
};
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/;

/** What nodemailer adds to an error. */
const problemSchema = z.object({
  code: z.string().catch(""),
  responseCode: z.int().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  command: z.string().catch(""),
});

/** Says what a refusal is about. A temporary one (4yz) is about everything, unless it comes for the recipient. */
function scopeOf(status: number, command: string, response: string): MailResult["refuses"] {
  const isRecipient = command === "RCPT TO";
  if (status < 500) return isRecipient || command === "DATA" ? "message" : "everything";
  if (isRecipient) return isAboutAddress(response) ? "address" : "message";
  return command === "DATA" || command === "MAIL FROM" ? "message" : "everything";
}

function toResult(problem: unknown): MailResult {
  const { code, responseCode: status, response, command } = problemSchema.parse(problem);
  const message = printable(problem instanceof Error ? problem.message : String(problem));
  if (status === undefined) {
    const error = CERTIFICATE.test(code) ? "the mail server's certificate is not accepted" : EXPLANATIONS[code];
    return {
      status: null,
      response: null,
      error: error === undefined ? message : `${error}: ${message}`,
      refuses: "everything",
    };
  }
  const text = printable(response ?? message);
  const refuses = code === "EAUTH" ? "everything" : scopeOf(status, command, text);
  const what = { address: "this address", message: "this message", everything: "messages" }[refuses ?? "message"];
  const error = code === "EAUTH" ? EXPLANATIONS["EAUTH"] : `the mail server refused ${what}: ${text}`;
  return { status, response: text, error: error ?? text, refuses };
}

/** Hands a message to the mail server. Never rejects. */
export async function sendMail(mail: Mail): Promise<MailResult> {
  const from = env().mailFrom ?? "";
  try {
    const sent = await connect().sendMail({
      envelope: { from, to: mail.recipient.address },
      messageId: idOf(mail.messageId, from),
      raw: toMime(mail, from),
    });
    return {
      status: Number.parseInt(sent.response, 10) || 250,
      response: printable(sent.response),
      error: null,
      refuses: null,
    };
  } catch (problem) {
    return toResult(problem);
  }
}

/** Leaves the address out of what a mail server has said: it is recorded. */
export function withoutAddress({ response, error, ...result }: MailResult, address: string): MailResult {
  const local = address.slice(0, address.lastIndexOf("@"));
  const clean = (text: string | null): string | null =>
    text === null ? null : text.replaceAll(address, "the address").replaceAll(`${local}@`, "…@");
  return { ...result, response: clean(response), error: clean(error) };
}
