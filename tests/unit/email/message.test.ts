import { describe, expect, test } from "vitest";
import type { AlertKind } from "../../../app/alerts/kinds.ts";
import { templateProblem } from "../../../app/email/liquid.server.ts";
import { renderMessage, toEmailAlert, type EmailAlert } from "../../../app/email/render.server.ts";
import { languageOf, textsIn } from "../../../app/email/texts.ts";
import { exampleBody } from "../../../app/webhooks/index.server.ts";

const NONE = { subject: "", introduction: "" };
const SETTINGS = {
  kinds: [],
  senderName: "Lamps & more",
  postalAddress: "Lamps Ltd\n1 <Long> Lane",
  accent: "#1f6f54",
  logoUrl: null,
  money: { moneyFormat: null, currency: "EUR" },
  texts: { price_dropped: NONE, back_in_stock: NONE, low_stock: NONE, reminder_due: NONE },
};

/** Returns the example of an alert. */
function alert(kind: AlertKind, change: Partial<EmailAlert> = {}, kinds: AlertKind[] = [kind]): EmailAlert {
  const example = toEmailAlert(JSON.stringify(exampleBody(`wishlist.alert.${kind}`)));
  return { ...example, items: example.items.map((item) => ({ ...item, kinds, inventory: 3 })), ...change };
}

const products = (count: number): EmailAlert[] =>
  Array.from({ length: count }, (_, n) => alert("price_dropped", { productTitle: `Product ${n + 1}.` }));

/** Returns the words of a message's HTML as a mail program shows them. */
const words = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>|<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

describe("a message", () => {
  test("escapes what shop and store wrote, in HTML and not in subject and text", () => {
    const evil = `<script>alert(1)</script> "Lamp" & {{ shop }} {% if %}`;
    const { html, text, subject } = renderMessage([alert("price_dropped", { productTitle: evil })], "<b>Anna", {
      ...SETTINGS,
      texts: { ...SETTINGS.texts, price_dropped: { subject: "{{ product }}", introduction: "<i>{{ customer }}</i>" } },
    });
    expect(html).not.toMatch(/<script|<i>|<b>Anna|<Long>/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &#34;Lamp&#34; &amp; {{ shop }} {% if %}");
    expect(html).toContain("&lt;i&gt;&lt;b&gt;Anna&lt;/i&gt;");
    expect(subject).toBe(evil);
    expect(text).toContain(evil);
  });

  test("has the name, price and links of its own customer, although the rest is rendered once for all", () => {
    const link = (n: number) => `https://lamps.example/apps/wishlist/alerts/${n}`;
    const of = (n: number, price = "79.00") => {
      const shown = alert("price_dropped", { url: link(n) });
      const items = shown.items.map((item) => ({ ...item, formattedPrice: `€${price}` }));
      return renderMessage([{ ...shown, items }], `Customer ${n} & "Co"`, SETTINGS);
    };
    const [one, other, dearer] = [of(1), of(2), of(3, "85.00")];
    expect(other.html).toBe(one.html.replaceAll("Customer 1", "Customer 2").replaceAll("/alerts/1", "/alerts/2"));
    expect(other.text).toBe(one.text.replaceAll("Customer 1", "Customer 2").replaceAll("/alerts/1", "/alerts/2"));
    expect(one.html).toContain(`Customer 1 &amp; &#34;Co&#34;`);
    expect(one.html).toContain(`"${link(1)}/withdraw/all"`);
    expect(one.text).toContain(`Customer 1 & "Co"`);
    expect(dearer.html).toContain("€85.00");
    expect(dearer.text).not.toContain("€79.00");
  });

  test("has a subject of one line, however long the product's title is", () => {
    const { subject } = renderMessage(
      [alert("price_dropped", { productTitle: `Lamp\r\nBcc: ben@example.com ${"x".repeat(500)}` })],
      undefined,
      SETTINGS,
    );
    expect(subject).toMatch(/^Lamp Bcc: ben@example\.com x{1,200}$/);
  });

  test.for(["en", "de", "fr", "es", "ja", "de-CH", "fr-CA"] as const)("is in the customer's language: %s", (locale) => {
    const { html } = renderMessage([alert("back_in_stock", { locale })], undefined, SETTINGS);
    const texts = textsIn(languageOf(locale));
    expect(html).toContain(`<html lang="${locale.slice(0, 2)}">`);
    expect(words(html)).toContain(texts.introduction_back_in_stock);
    expect(words(html)).toContain(texts.unsubscribe);
  });

  test.for([null, "pt-BR", "xx", ""])("is in English for a customer whose language it does not have: %j", (locale) => {
    expect(renderMessage([alert("back_in_stock", { locale })], undefined, SETTINGS).html).toContain('<html lang="en">');
  });

  test("says the same in its text as in its HTML", () => {
    const { html, text } = renderMessage([alert("price_dropped"), alert("low_stock")], "Anna Berg", SETTINGS);
    for (const shown of ["Hello Anna Berg,", "Northcote Parka", "€79.00", "€99.00", "Only 3 left", "Lamps Ltd"]) {
      expect(words(html)).toContain(shown);
      expect(text).toContain(shown);
    }
  });

  test.for([
    ["the store's own format", { moneyFormat: "{{amount_with_comma_separator}} EUR", currency: "EUR" }, "79,00 EUR"],
    ["the customer's language before the format is known", { moneyFormat: null, currency: "EUR" }, "€79.00"],
    [
      "the customer's language in a currency that the store has no longer",
      { moneyFormat: "${{amount}}", currency: "USD" },
      "€79.00",
    ],
    [
      "the customer's language for a format that Shopify does not document",
      { moneyFormat: "{{amount_in_words}}", currency: "EUR" },
      "€79.00",
    ],
  ] as const)("has prices in %s", ([, money, price]) => {
    const texts = {
      ...SETTINGS.texts,
      price_dropped: { subject: "{{ price }} instead of {{ previous_price }}", introduction: "" },
    };
    const message = renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, texts, money });
    expect(words(message.html)).toContain(price);
    expect(message.text).toContain(price);
    expect(message.subject).toBe(`${price} instead of ${price.replace("79", "99")}`);
  });

  test("escapes a store's money format in HTML", () => {
    const money = { moneyFormat: "<b>{{amount}}</b>", currency: "EUR" };
    expect(renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, money }).html).toContain(
      "&lt;b&gt;79.00&lt;/b&gt;",
    );
  });

  test("begins with what returned to stock, and then with what became cheaper", () => {
    const alerts = (["reminder_due", "low_stock", "price_dropped", "back_in_stock"] as const).map((kind) =>
      alert(kind, { productTitle: kind }),
    );
    const { subject, html } = renderMessage(alerts, undefined, SETTINGS);
    expect(subject).toBe("back_in_stock and 3 more from your wishlist");
    const shown = words(html).match(/back_in_stock|price_dropped|low_stock|reminder_due/g);
    expect([...new Set(shown)]).toEqual(["back_in_stock", "price_dropped", "low_stock", "reminder_due"]);
  });

  test("has the price before for price drops alone", () => {
    const { items, ...rest } = alert("price_dropped");
    const returned = { ...rest, items: items.map((item) => ({ ...item, kinds: ["back_in_stock" as const] })) };
    const { html } = renderMessage([{ ...returned, kind: "back_in_stock" }], undefined, SETTINGS);
    expect(words(html)).toContain("€79.00");
    expect(words(html)).not.toContain("€99.00");
  });

  test("shows five variants of a product", () => {
    const { items, ...rest } = alert("price_dropped");
    const variants = Array.from({ length: 6 }, (_, n) =>
      items.map((item) => ({ ...item, variantTitle: `Size ${n + 1}.` })),
    );
    const { html } = renderMessage([{ ...rest, items: variants.flat() }], undefined, SETTINGS);
    expect(words(html)).toContain("Size 5.");
    expect(words(html)).not.toContain("Size 6.");
  });

  test("links to the end of all messages in HTML and in text", () => {
    const { html, text, unsubscribeUrl } = renderMessage(
      [alert("price_dropped", { url: "https://a.example/apps/wishlist/alerts/x1" })],
      undefined,
      SETTINGS,
    );
    expect(unsubscribeUrl).toBe("https://a.example/apps/wishlist/alerts/x1/withdraw/all");
    expect(html).toContain(`href="${unsubscribeUrl}"`);
    expect(text).toContain(unsubscribeUrl);
  });

  test("asks for pictures of twice the size at which it shows them", () => {
    const imageUrl = "https://cdn.shopify.com/lamp.png?v=1";
    const { html } = renderMessage([alert("price_dropped", { imageUrl })], undefined, SETTINGS);
    expect(html).toContain('src="https://cdn.shopify.com/lamp.png?v=1&amp;width=240"');
  });

  test("shows 20 products and says how many more there are", () => {
    const { html } = renderMessage(products(23), undefined, SETTINGS);
    expect(words(html)).toContain("Product 20.");
    expect(words(html)).not.toContain("Product 21.");
    expect(words(html)).toContain("And 3 more on your wishlist.");
  });

  test("is about the kinds that the customer wants, although the alert is about others, too", () => {
    const both = alert("back_in_stock", {}, ["back_in_stock", "price_dropped"]);
    const { subject } = renderMessage([both], undefined, SETTINGS, ["price_dropped"]);
    expect(subject).toBe("Northcote Parka now costs €79.00");
  });

  test("falls back to the app's text where a text of the shop's does not render", () => {
    const texts = {
      ...SETTINGS.texts,
      price_dropped: { subject: "{{ product | nofilter }}", introduction: "{% for %}" },
    };
    const { subject } = renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, texts });
    expect(subject).toBe("Northcote Parka now costs €79.00");
  });

  test.for([
    "{% for i in (1..10) %}x{% endfor %}",
    "{% tablerow i in (1..10) %}x{% endtablerow %}",
    "{% liquid for i in (1..10)\necho i\nendfor %}",
    "{% render 'a' %}",
    "{% include 'a' %}",
    "{% layout 'a' %}",
  ])("has no text with a loop or another template: %s", (greedy) => {
    expect(templateProblem(greedy)).toMatch(/^Liquid can't read this: /);
    const texts = { ...SETTINGS.texts, price_dropped: { subject: greedy, introduction: "" } };
    const { subject } = renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, texts });
    expect(subject).toBe("Northcote Parka now costs €79.00");
  });

  test("may decide in a shop's text", () => {
    const subject = "{% if others > 0 %}News{% else %}{{ product | upcase }}{% endif %}";
    const texts = { ...SETTINGS.texts, price_dropped: { subject, introduction: "" } };
    expect(renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, texts }).subject).toBe("NORTHCOTE PARKA");
  });

  test.for([
    ["#ffffff", "#000000"],
    ["#ffcc00", "#000000"],
    ["#1a1a1a", "#ffffff"],
    ["#1f6f54", "#ffffff"],
  ] as const)("has text on the button that can be read on %s", ([accent, text]) => {
    const { html } = renderMessage([alert("price_dropped")], undefined, { ...SETTINGS, accent });
    expect(html).toContain(`background:${accent}`);
    expect(html).toContain(`color:${text}`);
  });
});
