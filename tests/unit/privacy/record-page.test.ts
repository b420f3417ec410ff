import { expect, test } from "vitest";
import { recordPage } from "../../../app/privacy/record-page.server.ts";

const SHOP = { domain: "larkfell-outdoor.myshopify.com", timeZone: "Europe/Berlin" };

/** Returns the text that a reader of the page sees. */
function textOf(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

test("a customer reads every text and number of the record, also in lists within lists", () => {
  const record = {
    customerId: "7012503486663",
    wishlists: [
      { id: "default", name: null, items: [{ product: "Tent", quantity: 2, properties: { Engraving: "A. L." } }] },
      { id: "lst_1", name: "Birthday", items: [] },
    ],
    activeDays: ["2026-11-20", "2026-11-21"],
    alertConsents: [{ kind: "price_dropped", given: false }],
    unheardOf: { deep: { deeper: "the end" } },
  };
  const text = textOf(recordPage(JSON.stringify(record), SHOP));
  for (const known of [
    "7012503486663",
    "default",
    "Birthday",
    "Tent",
    "2",
    "Engraving",
    "A. L.",
    "2026-11-20",
    "2026-11-21",
    "No",
    "the end",
  ])
    expect(text).toContain(`\n${known}\n`);
});

test("times are those of the store, whose time zone is named", () => {
  const page = recordPage(JSON.stringify({ orders: [{ orderedAt: "2026-07-01T09:30:00.000Z" }] }), SHOP);
  expect(textOf(page)).toContain("\nJul 1, 2026, 11:30\n");
  expect(textOf(page)).toContain("Times are those of Europe/Berlin.");
});

test("what is empty is named, and is no empty table", () => {
  const page = recordPage(JSON.stringify({ wishlists: [{ id: "default" }], alerts: [], orders: [] }), SHOP);
  expect(textOf(page)).toContain("Of these there is nothing: Alerts, Orders with saved products.");
  expect(page.match(/<table>/g)).toHaveLength(1);
});

test("texts of shoppers are no markup, and the page loads and runs nothing", () => {
  const note = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
  const page = recordPage(JSON.stringify({ wishlists: [{ items: [{ note, [note]: note }] }] }), SHOP);
  expect(page).not.toMatch(/<(?:script|img|link|a|iframe)\b/);
  expect(textOf(page)).toContain(`\n${note}\n`);
});
