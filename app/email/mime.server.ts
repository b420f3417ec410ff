import { LRUCache } from "lru-cache";
import { foldLines } from "nodemailer/lib/mime-funcs";
import MimeNode from "nodemailer/lib/mime-node";
import { encode, wrap } from "nodemailer/lib/qp";
import { now } from "../platform/clock.server.ts";
import type { FilledText, Pattern } from "./filled-text.server.ts";

// Messages as they are handed to a mail server. nodemailer would compose them as well, but encodes each whole: most of the time of an email.

/** What a mail server must know to send a message. */
export interface Mail {
  sender: { name: string; replyTo: string };
  recipient: { name: string; address: string };
  subject: string;
  html: FilledText;
  text: FilledText;
  /** the same for each attempt; without host */
  messageId: string;
  /** ends all messages of this kind by a POST (RFC 8058); undefined for a test */
  unsubscribeUrl?: string | undefined;
}

/** In no body, because in quoted-printable only a code or a line break follows an equals sign (RFC 2045 §6.7). */
const BOUNDARY = "=_part";
const LINE = 76;
const SOFT_BREAK = "=\r\n";

const header = (name: string, value: string | { name: string; address: string }): string =>
  foldLines(`${name}: ${MimeNode.encodeHeaderValue(name, value)}`, LINE);

/** The headers of a shop's messages by its sender, encoded: the same in all of them. */
const senders = new LRUCache<string, readonly string[]>({ max: 1_000 });

function senderHeaders({ name, replyTo }: Mail["sender"], from: string): readonly string[] {
  const key = JSON.stringify([name, replyTo, from]);
  const known = senders.get(key);
  if (known) return known;
  const headers = [header("From", { name, address: from }), header("Reply-To", replyTo)];
  senders.set(key, headers);
  return headers;
}

/** Encodes a text, in lines after which a soft break has room. */
const encoded = (text: string): string => wrap(encode(text.replaceAll(/\r\n?|\n/g, "\r\n")), LINE - 1);

/** Pieces of patterns that were sent, encoded: most messages have those of others. */
const encodedPieces = new WeakMap<Pattern, readonly string[]>();

function piecesOf(pattern: Pattern): readonly string[] {
  const known = encodedPieces.get(pattern);
  if (known) return known;
  const pieces = pattern.pieces.map(encoded);
  encodedPieces.set(pattern, pieces);
  return pieces;
}

/** Returns a text in quoted-printable (RFC 2045 §6.7). */
export function quotedPrintable(text: FilledText): string {
  const parts = text.parts(piecesOf(text.pattern), encoded).filter((part) => part !== "");
  return parts.map((part, n) => (n === parts.length - 1 || part.endsWith("\r\n") ? part : part + SOFT_BREAK)).join("");
}

/**
 * Returns a message (RFC 5322) with a text and an HTML part.
 * @param from the sender's address
 */
export function toMime(
  { sender, recipient, subject, html, text, messageId, unsubscribeUrl }: Mail,
  from: string,
): string {
  const part = (type: string, body: FilledText): string[] => [
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: quoted-printable",
    "",
    quotedPrintable(body),
  ];
  return [
    ...senderHeaders(sender, from),
    header("To", recipient),
    header("Subject", subject),
    header("Message-ID", idOf(messageId, from)),
    `Date: ${now().toUTCString().replace("GMT", "+0000")}`,
    // Vacation notices must not respond (RFC 3834).
    "Auto-Submitted: auto-generated",
    ...(unsubscribeUrl === undefined
      ? []
      : [header("List-Unsubscribe", `<${unsubscribeUrl}>`), "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]),
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    "",
    ...part("text/plain", text),
    ...part("text/html", html),
    `--${BOUNDARY}--`,
    "",
  ].join("\r\n");
}

/** Returns the id of a message with its host. */
export function idOf(messageId: string, from: string): string {
  return `<${messageId}@${from.slice(from.lastIndexOf("@") + 1)}>`;
}
