import { html, raw } from "hono/html";
import { z } from "zod";
import type { RequestContext } from "../foundation/request-context.ts";
import type { Message } from "../store/inbox.ts";
import type { Store } from "../store/store.ts";
import { CONTROL_SCRIPT } from "./control-script.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

const WIDTHS = ["360", "640"] as const;
const SCHEMES = ["light", "dark"] as const;
const VIEWS = ["message", "text", "headers"] as const;

/** Which message the page shows, and how. */
const choicesSchema = z.object({
  message: z.string().optional().catch(undefined),
  width: z.enum(WIDTHS).catch("640"),
  scheme: z.enum(SCHEMES).catch("light"),
  view: z.enum(VIEWS).catch("message"),
});
type Choices = z.output<typeof choicesSchema>;

/** A message of the mail server, or an email of a workflow, which has neither HTML nor headers. */
interface Entry {
  id: string;
  at: Date;
  sender: string;
  address: string;
  to: string;
  subject: string;
  text: string;
  note: string;
  message: Message | undefined;
}

function entries({ inbox, flow, shop }: Store): Entry[] {
  const received = inbox.messages().map((message): Entry => {
    const { id, at, from, envelope, subject, text } = message;
    return {
      id: String(id),
      at,
      sender: from.name === "" ? from.address : from.name,
      address: from.address,
      to: envelope.to.join(", "),
      subject,
      text,
      note: "",
      message,
    };
  });
  const written = flow.emails().map(({ id, at, to, subject, body, workflow }): Entry => {
    return {
      id,
      at,
      sender: shop.name,
      address: shop.email,
      to,
      subject,
      text: body,
      note: `, by the workflow “${workflow}”`,
      message: undefined,
    };
  });
  return [...received, ...written].sort((a, b) => b.at.getTime() - a.at.getTime());
}

const timeOf = (at: Date) => at.toISOString().slice(11, 19);

/** Returns the address of the one-click withdrawal (RFC 8058): https, and declared as such. */
function oneClickAddress({ headers }: Message): string | undefined {
  const value = (wanted: string) => headers.find(({ name }) => name === wanted)?.value ?? "";
  if (value("list-unsubscribe-post") !== "List-Unsubscribe=One-Click") return undefined;
  return /<(https:[^>]+)>/.exec(value("list-unsubscribe"))?.[1];
}

function listOf(all: readonly Entry[], shown: Entry, link: (change: Partial<Choices>) => string): Html {
  return html`<ol class="messages" aria-label="Messages">
    ${all.map(
      (entry) =>
        html`<li>
          <a href="${link({ message: entry.id })}" ${entry === shown ? raw('aria-current="true"') : ""}>
            <span class="row"><strong>${entry.sender}</strong><span class="right soft">${timeOf(entry.at)}</span></span>
            <span>${entry.subject === "" ? "(no subject)" : entry.subject}</span>
            <span class="soft one-line">${entry.to}</span>
          </a>
        </li>`,
    )}
  </ol>`;
}

function switchOf<const Name extends keyof Choices>(
  label: string,
  name: Name,
  options: readonly (readonly [value: NonNullable<Choices[Name]>, text: string])[],
  choices: Choices,
  link: (change: Partial<Choices>) => string,
): Html {
  return html`<span class="switch" role="group" aria-label="${label}">
    ${options.map(
      ([value, text]) =>
        html`<a href="${link({ [name]: value })}" ${choices[name] === value ? raw('aria-current="true"') : ""}
          >${text}</a
        >`,
    )}
  </span>`;
}

function contentOf(
  { id, text, message }: Entry,
  { width, scheme, view }: Choices,
  home: string,
  { translation }: RequestContext,
): Html {
  if (view === "headers" && message !== undefined) {
    return html`<div class="scroll">
      <table aria-label="Headers">
        <tbody>
          ${message.headers.map(
            ({ name, value }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td class="wide">${value}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
  if (view === "text" || message?.html === undefined) return html`<p class="text">${translation.toLocal(text)}</p>`;
  return html`<div class="paper">
    <iframe
      title="Message"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      src="${home}/inbox/${id}/html?scheme=${scheme}"
      style="width: ${width}px; color-scheme: ${scheme}"
    ></iframe>
  </div>`;
}

function reader(
  entry: Entry,
  choices: Choices,
  home: string,
  context: RequestContext,
  link: (change: Partial<Choices>) => string,
  outcome: string,
): Html {
  const { id, at, sender, address, to, subject, note, message } = entry;
  const unsubscribes = message !== undefined && oneClickAddress(message) !== undefined;
  return html`<article class="card email">
    <div class="row">
      <h2>${subject === "" ? "(no subject)" : subject}</h2>
      ${
        unsubscribes
          ? html`<form class="right" method="post" action="${home}/inbox/${id}/unsubscribe">
              <button>Unsubscribe</button>
            </form>`
          : ""
      }
    </div>
    ${outcome === "" ? "" : html`<p role="status">${outcome}</p>`}
    <p class="soft">From ${sender} &lt;${address}&gt;<br />To ${to}, ${timeOf(at)} UTC${note}</p>
    ${
      message === undefined
        ? ""
        : html`<div class="row tools">
            ${switchOf(
              "Part",
              "view",
              [
                ["message", "Message"],
                ["text", "Text"],
                ["headers", "Headers"],
              ],
              choices,
              link,
            )}
            ${
              choices.view === "message" && message.html !== undefined
                ? html`${switchOf(
                    "Width",
                    "width",
                    [
                      ["360", "360 px"],
                      ["640", "640 px"],
                    ],
                    choices,
                    link,
                  )}
                  ${switchOf(
                    "Colours",
                    "scheme",
                    [
                      ["light", "Light"],
                      ["dark", "Dark"],
                    ],
                    choices,
                    link,
                  )}`
                : ""
            }
          </div>`
    }
    ${contentOf(entry, choices, home, context)}
    ${
      message === undefined || message.attachments.length === 0
        ? ""
        : html`<p class="soft">
            Attachments:
            ${message.attachments.map(({ name, type, bytes }) => `${name} (${type}, ${bytes} bytes)`).join(", ")}
          </p>`
    }
  </article>`;
}

/**
 * Renders what the mail server received and the emails that workflows have sent, newest first.
 * @param outcome of the last withdrawal
 */
export async function inboxPage(
  store: Store,
  context: RequestContext,
  query: Readonly<Record<string, string>>,
  outcome = "",
): Promise<Response> {
  const choices = choicesSchema.parse(query);
  const { home } = adminPaths(store);
  const all = entries(store);
  const shown = all.find(({ id }) => id === choices.message) ?? all[0];
  const link = (change: Partial<Choices>) =>
    `${home}/inbox?${new URLSearchParams({ ...choices, ...change, message: change.message ?? shown?.id ?? "" }).toString()}`;
  const main = html`<main class="page wider">
      <div class="row">
        <h1>Inbox</h1>
        <a class="button right" href="${home}/inbox">Newest message</a>
        <button id="refresh" type="button">Refresh</button>
      </div>
      ${
        shown === undefined
          ? html`<div class="card">
              <p>
                No messages yet. The app sends them to the devstore's mail server; a workflow sends one when its trigger
                arrives.
              </p>
              <a class="button" href="${home}/flow">Open Flow</a>
            </div>`
          : html`<div class="mail">
              ${listOf(all, shown, link)} ${reader(shown, choices, home, context, link, outcome)}
            </div>`
      }
    </main>
    <script>
      ${raw(CONTROL_SCRIPT)};
    </script>`;
  return adminPage(store, context.addresses.storefront, "Inbox", main);
}

/**
 * Returns a message's HTML as a mail program shows it: without scripts, links open in a new tab. A sandboxed frame has the
 * browser's colour scheme, so the style's media queries are decided here.
 */
export function messageHtml(store: Store, { translation }: RequestContext, id: string, scheme: string): Response {
  const content = store.inbox.byId(Number(id))?.html;
  if (content === undefined) return new Response("Unknown message", { status: 404 });
  const shown = scheme === "dark" ? "dark" : "light";
  const decided = translation
    .toLocal(content)
    .replaceAll(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, wanted: string) =>
      wanted.toLowerCase() === shown ? "(min-width: 0)" : "(max-width: 0)",
    )
    .replaceAll(/(color-scheme\s*:\s*|name="(?:supported-)?color-schemes?"\s+content=")light dark/gi, `$1${shown}`);
  const base = '<base target="_blank">';
  const page = /<head[^>]*>/i.test(decided) ? decided.replace(/<head[^>]*>/i, `$&${base}`) : base + decided;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "sandbox allow-popups allow-popups-to-escape-sandbox; script-src 'none'; object-src 'none'; form-action 'none'",
    },
  });
}

/** Withdraws with one click as a mail provider does: a POST without cookies, which follows no redirect. Then renders the inbox. */
export async function unsubscribe(store: Store, context: RequestContext, id: string): Promise<Response> {
  const message = store.inbox.byId(Number(id));
  const address = message === undefined ? undefined : oneClickAddress(message);
  if (address === undefined) return new Response("The message has no withdrawal with one click", { status: 404 });
  return inboxPage(store, context, { message: id }, await postOneClick(context.toLoopback(address)));
}

async function postOneClick(address: string): Promise<string> {
  if (new URL(address).hostname !== "127.0.0.1") return `Not sent, because it leaves this machine: ${address}`;
  try {
    const { status } = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    return status >= 200 && status < 300 ? "Unsubscribed" : `Unsubscribing failed: the response is ${status}`;
  } catch (error) {
    return `Unsubscribing failed: ${error instanceof Error ? error.message : "no response"}`;
  }
}
