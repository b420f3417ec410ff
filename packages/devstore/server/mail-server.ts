import { once } from "node:events";
import type { Socket } from "node:net";
import { simpleParser, type AddressObject, type EmailAddress, type ParsedMail } from "mailparser";
import { SMTPServer, type SMTPServerError, type SMTPServerSession } from "smtp-server";
import type { Options } from "../foundation/options.ts";
import type { Fault, Faults } from "../store/faults.ts";
import type { MailAddress, Message } from "../store/inbox.ts";
import type { Store } from "../store/store.ts";
import { HOST } from "./listen.ts";

/** Most bytes of a message. */
const MAXIMUM_BYTES = 2_000_000;

/** The texts of a mail server's refusals, with the enhanced status codes of RFC 3463. */
const REFUSALS: Readonly<Record<number, string>> = {
  421: "4.3.2 Too busy, try again later",
  450: "4.2.1 The mailbox is not available now",
  451: "4.3.0 Try again later",
  452: "4.2.2 The mailbox is full",
  535: "5.7.8 The user name or the password is wrong",
  550: "5.1.1 The mailbox does not exist",
  552: "5.3.4 The message is too large",
};

/** What each position of the control page's switch does. */
const SWITCHED: Readonly<Record<Faults["switches"]["mail"], Pick<Fault, "on" | "behaviour"> | undefined>> = {
  none: undefined,
  slow: undefined,
  busy: { on: "mail connection", behaviour: { status: 421 } },
  no_login: { on: "mail login", behaviour: { status: 535 } },
  no_recipient: { on: "mail recipient", behaviour: { status: 550 } },
  try_later: { on: "mail recipient", behaviour: { status: 451 } },
  closes: { on: "mail message", behaviour: "closes" },
};

/** @param address of the recipient, which servers repeat in what they say about it */
function refusal(status: number, address = ""): SMTPServerError {
  const text = REFUSALS[status] ?? "The request is refused";
  return Object.assign(new Error(address === "" ? text : `${text}: <${address}>`), { responseCode: status });
}

/** A mail server that listens. */
export interface MailServer {
  /** with the user's name and password: the app's SMTP_URL */
  url: string;
  /** in PEM, with TLS */
  certificate: string | undefined;
  close: () => Promise<void>;
}

type MailOptions = NonNullable<Options["smtp"]>;

function flatten({ name, address, group }: EmailAddress): MailAddress[] {
  return group === undefined ? [{ name, address: address ?? "" }] : group.flatMap(flatten);
}

function addresses(header: AddressObject | AddressObject[] | undefined): MailAddress[] {
  return [header ?? []].flat().flatMap(({ value }) => value.flatMap(flatten));
}

/** Returns a header's lines as one, without its name. */
const unfold = (line: string) =>
  line
    .slice(line.indexOf(":") + 1)
    .replaceAll(/\r?\n\s+/g, " ")
    .trim();

function toMessage(parsed: ParsedMail, { envelope }: SMTPServerSession, bytes: number): Omit<Message, "id" | "at"> {
  return {
    from: addresses(parsed.from)[0] ?? { name: "", address: "" },
    to: addresses(parsed.to),
    envelope: {
      from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
      to: envelope.rcptTo.map(({ address }) => address),
    },
    subject: parsed.subject ?? "",
    text: parsed.text ?? "",
    html: parsed.html === false ? undefined : parsed.html,
    headers: parsed.headerLines.map(({ key, line }) => ({ name: key, value: unfold(line) })),
    attachments: parsed.attachments.map(({ filename, contentType, size }) => ({
      name: filename ?? "",
      type: contentType,
      bytes: size,
    })),
    bytes,
  };
}

/**
 * Starts a mail server on this machine, which puts each message into the inbox. It has the faults of the store.
 * @throws if the port is in use
 */
export async function startMailServer({ faults, inbox }: Store, options: MailOptions): Promise<MailServer> {
  const { port, user, password, tls } = options;
  /** by the client's port */
  const sockets = new Map<number, Socket>();

  /** @throws SMTPServerError when a fault refuses the request; after "closes", no response reaches the client */
  async function encounter(on: Fault["on"], { remotePort }: SMTPServerSession, address = ""): Promise<void> {
    const switched = SWITCHED[faults.switches.mail];
    const injected = await faults.encounter(on, { operation: address, variables: {} });
    const behaviour = injected ?? (switched?.on === on ? switched.behaviour : undefined);
    if (behaviour === undefined) return;
    if (behaviour === "closes") sockets.get(remotePort)?.destroy();
    const status = typeof behaviour === "object" && "status" in behaviour ? behaviour.status : 451;
    throw refusal(status, on === "mail recipient" ? address : "");
  }

  async function receive(stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<void> {
    await encounter("mail message", session, session.envelope.rcptTo[0]?.address);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes <= MAXIMUM_BYTES) chunks.push(chunk);
    }
    if (bytes > MAXIMUM_BYTES) throw refusal(552);
    await faults.slowDown("mail");
    inbox.receive(toMessage(await simpleParser(Buffer.concat(chunks)), session, bytes));
  }

  const certificate =
    tls === "none" ? undefined : await (await import("./certificate.ts")).createCertificate(["localhost"]);
  const server = new SMTPServer({
    ...certificate,
    secure: tls === "implicit",
    name: "mail.devstore.example",
    size: MAXIMUM_BYTES,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: user === undefined,
    disabledCommands: [...(tls === "starttls" ? [] : ["STARTTLS"]), ...(user === undefined ? ["AUTH"] : [])],
    onConnect: (session, done) => void encounter("mail connection", session).then(() => done(), done),
    onAuth(given, session, done) {
      const isRight = given.username === user && given.password === password;
      void encounter("mail login", session).then(
        () => (isRight ? done(undefined, { user }) : done(refusal(535))),
        done,
      );
    },
    onRcptTo: ({ address }, session, done) =>
      void encounter("mail recipient", session, address).then(() => done(), done),
    onData: (stream, session, done) => void receive(stream, session).then(() => done(), done),
  });
  // A client that goes away is no error of the devstore.
  server.on("error", () => undefined);
  server.server.on("connection", (socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });
  const listening = server.listen(port, HOST);
  await once(listening, "listening");
  const address = listening.address();
  const login = user === undefined ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  const host = tls === "none" ? HOST : "localhost";
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `${tls === "implicit" ? "smtps" : "smtp"}://${login}${host}:${taken}${tls === "none" ? "?tls=none" : ""}`,
    certificate: certificate?.cert,
    async close() {
      const closed = once(listening, "close");
      server.close();
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}
