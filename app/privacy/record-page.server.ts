import { createElement as element, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { z } from "zod";

// The record of a customer as a page that people can read. It shows what the JSON file has, and nothing else: fields without a value are left out.

/** Headings of the sections, and what each holds. Other sections are named by their key. */
const SECTIONS: Readonly<Record<string, readonly [title: string, about: string]>> = {
  wishlists: ["Wishlists", "Your lists and the products that you saved"],
  shareLinks: ["Share links", "Links with which others could see a list"],
  activity: ["Changes", "Each change to your lists"],
  cartEvents: ["Added to cart", "Saved products that you put into your cart"],
  alertConsents: ["Choices of alerts", "What you asked to hear about, or no longer wanted"],
  alerts: ["Alerts", "What you were to hear about, and what became of it"],
  alertRequests: ["Requests for alerts", "Products of which you asked to hear once"],
  emails: ["Emails", "When alerts were emailed to you within the last week"],
  refusedEmailAddress: ["Refused email address", "Your address did not accept an email, so no more were sent to it"],
  orders: ["Orders with saved products", "Your orders of products that you had saved before"],
  changedByStaff: ["Changed by staff", "What the store's staff changed on your lists"],
  activeDays: ["Active days", "Days on which you used your lists"],
  webhookEvents: ["Sent to the store's systems", "Messages about your lists to systems of the store"],
  beforeLogin: ["Before you logged in", "Lists without a login that became yours"],
};

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 24px 16px; max-width: 960px; color: #1f2328; background: #fff; }
  h1, h2 { line-height: 1.25; overflow-wrap: anywhere; } h2 { margin: 40px 0 4px; } p { margin: 4px 0; color: #59636e; }
  table { border-collapse: collapse; } .wide { overflow-x: auto; margin: 12px 0; }
  th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid #d1d9e0; }
  th { font-size: 14px; color: #59636e; white-space: nowrap; } td { overflow-wrap: break-word; max-width: 280px; }
  article { border-top: 1px solid #d1d9e0; padding: 4px 0; margin: 12px 0; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 12px 0; } dt { color: #59636e; } dd { margin: 0; overflow-wrap: anywhere; }`;

const recordSchema = z.record(z.string(), z.unknown());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** "putIntoCartAt" → "Put into cart at", "productId" → "Product ID" */
function label(key: string): string {
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bid\b/i, "ID");
}

/** Returns whether a value has parts of its own. */
function isSection(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return isSection(value) && Object.keys(value).length === 0;
}

function text(value: string, timeZone: string): string {
  if (!TIME.test(value) || Number.isNaN(Date.parse(value))) return value;
  return new Intl.DateTimeFormat("en", { timeZone, dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(
    new Date(value),
  );
}

function content(value: unknown, timeZone: string): ReactNode {
  if (Array.isArray(value)) return list(value, timeZone);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return text(value, timeZone);
  if (!isSection(value)) return String(value);
  return facts(Object.entries(value), timeZone);
}

function facts(entries: readonly (readonly [string, unknown])[], timeZone: string): ReactNode {
  const shown = entries.filter(([, value]) => !isEmpty(value));
  const pairs = shown
    .filter(([, value]) => !isSection(value))
    .flatMap(([key, value]) => [element("dt", null, label(key)), element("dd", null, content(value, timeZone))]);
  const parts = shown
    .filter(([, value]) => isSection(value))
    .flatMap(([key, value]) => [element("p", null, label(key)), content(value, timeZone)]);
  return element("div", null, element("dl", null, ...pairs), ...parts);
}

function list(values: readonly unknown[], timeZone: string): ReactNode {
  const rows = recordSchema.array().safeParse(values).data;
  if (!rows) {
    return element("ul", null, ...values.map((value) => element("li", null, content(value, timeZone))));
  }
  // A table within a table can't be read.
  const isDeep = rows.some((row) => Object.values(row).some((value) => isSection(value) && !isEmpty(value)));
  if (isDeep) {
    const blocks = rows.map((row) => element("article", null, facts(Object.entries(row), timeZone)));
    return element("div", null, ...blocks);
  }
  const found = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => !isEmpty(row[key]))));
  const isId = (key: string): boolean => key.endsWith("Id");
  // What people know comes first.
  const keys = [...found].toSorted((a, b) => Number(isId(a)) - Number(isId(b)));
  const head = element("tr", null, ...keys.map((key) => element("th", { scope: "col" }, label(key))));
  const body = rows.map((row) =>
    element(
      "tr",
      null,
      ...keys.map((key) => element("td", null, isEmpty(row[key]) ? "" : content(row[key], timeZone))),
    ),
  );
  const table = element("table", null, element("thead", null, head), element("tbody", null, ...body));
  return element("div", { className: "wide" }, table);
}

function section([key, value]: readonly [string, unknown], timeZone: string): ReactNode {
  const [title, about] = SECTIONS[key] ?? [label(key)];
  return element(
    "section",
    null,
    element("h2", null, title),
    about === undefined ? null : element("p", null, `${about}.`),
    content(value, timeZone),
  );
}

/**
 * Returns a customer's record as an HTML document without scripts and without anything to load.
 * @param record the JSON text of the record
 */
export function recordPage(record: string, { domain, timeZone }: { domain: string; timeZone: string }): string {
  const entries = Object.entries(recordSchema.parse(JSON.parse(record)));
  const sections = entries.filter(([, value]) => isSection(value));
  const none = sections.filter(([, value]) => isEmpty(value)).map(([key]) => SECTIONS[key]?.[0] ?? label(key));
  const title = `Your wishlists at ${domain}`;
  const page = element(
    "html",
    { lang: "en" },
    element(
      "head",
      null,
      element("meta", { charSet: "utf-8" }),
      element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      element("title", null, title),
      element("style", null, STYLE),
    ),
    element(
      "body",
      null,
      element("h1", null, title),
      element(
        "p",
        null,
        `This is everything that the store's wishlists hold about you. Times are those of ${timeZone}.`,
      ),
      facts(
        entries.filter(([, value]) => !isSection(value)),
        timeZone,
      ),
      ...sections.filter(([, value]) => !isEmpty(value)).map((one) => section(one, timeZone)),
      none.length > 0 && element("h2", null, "Nothing is stored"),
      none.length > 0 && element("p", null, `Of these there is nothing: ${none.join(", ")}.`),
    ),
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}`;
}
