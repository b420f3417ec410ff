import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { dawn } from "./manners/dawn.ts";
import { merchant } from "./manners/merchant.ts";
import { skeleton } from "./manners/skeleton.ts";
import { MANY, MORE } from "./products.ts";
import { ThemeVisit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Counts what scripts ask of the document: each call, and each element of an answer that is a list of its own. Live lists are lazy. */
const COUNTING = `
  window.work = 0;
  const count = (owner, name, size) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const key = descriptor.value ? "value" : "get";
    const original = descriptor[key];
    descriptor[key] = function (...given) {
      const answer = original.apply(this, given);
      window.work += size(answer);
      return answer;
    };
    Object.defineProperty(owner, name, descriptor);
  };
  const one = () => 1;
  const each = (answer) => 1 + answer.length;
  for (const owner of [Document.prototype, Element.prototype, DocumentFragment.prototype]) {
    count(owner, "querySelectorAll", each);
    count(owner, "querySelector", one);
    if (owner !== DocumentFragment.prototype) for (const name of ["getElementsByTagName", "getElementsByClassName"]) count(owner, name, one);
  }
  count(Document.prototype, "links", one);
  count(Document.prototype, "elementFromPoint", one);
  count(Document.prototype, "elementsFromPoint", each);
  for (const name of ["closest", "matches", "getBoundingClientRect", "getClientRects", "getAttribute", "checkVisibility"]) count(Element.prototype, name, one);
  count(Node.prototype, "contains", one);
  count(Node.prototype, "compareDocumentPosition", one);
  count(window, "getComputedStyle", one);
  count(HTMLAnchorElement.prototype, "pathname", one);
  count(HTMLAnchorElement.prototype, "href", one);`;

declare global {
  interface Window {
    work: number;
  }
}

/** What the extension does at a change of a page with this many cards. */
async function work(
  manner: typeof dawn,
  cards: number,
  change: (visit: ThemeVisit) => Promise<unknown>,
): Promise<number> {
  const visit = await ThemeVisit.open(browser, manner, 1280, { products: MANY.slice(0, cards), script: COUNTING });
  const hearts = (): Promise<number> => visit.page.locator(".whl-card").count();
  await expect.poll(hearts, { timeout: 60_000 }).toBe(cards);
  await visit.settle();
  await visit.page.evaluate(() => (window.work = 0));
  await change(visit);
  await visit.settle();
  const done = await visit.page.evaluate(() => window.work);
  await visit.leave();
  return done;
}

describe.each([dawn, skeleton, merchant])("$name", (manner) => {
  test.each<[string, (visit: ThemeVisit) => Promise<unknown>]>([
    [
      "an element that is no card",
      ({ page }) => page.evaluate(() => document.querySelector("footer")?.append(document.createElement("p"))),
    ],
    [
      "a card at the list's end",
      ({ page }) =>
        page.evaluate(
          (html) => document.querySelector("[data-t-list]")?.insertAdjacentHTML("beforeend", html),
          manner.cards(MORE.slice(0, 1)),
        ),
    ],
  ])("%s costs no more among 1,000 cards than among 50", async (_, change) => {
    const few = await work(manner, 50, change);
    const many = await work(manner, 1000, change);
    // One more query for each product would be twenty times the work.
    expect(many).toBeLessThanOrEqual(3 * few + 100);
  });
});
