// @module-tag matrix

import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { LOGIN_COOKIE } from "../foundation/cookies.ts";
import { launchBrowser, LIKE_A_PERSON } from "../../../tests/support/browser/browser.ts";
import { expect as expectPage } from "../../../tests/support/browser/expect.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const PAGE = "/account/pages/history";
const entrySchema = z.object({
  key: z.string(),
  path: z.string(),
  state: z.unknown().optional(),
  event: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stage = await startStage({ accountExtension: fileURLToPath(new URL("fixtures/account-extension", import.meta.url)) });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(async () => {
  const { devstore } = stage;
  const context = await browser.newContext(LIKE_A_PERSON);
  const session = devstore.store().customerSessions.open(devstore.logins[0]?.customerId ?? "");
  await context.addCookies([{ name: LOGIN_COOKIE, value: session, url: devstore.storefrontUrl }]);
  page = await context.newPage();
  await page.goto(devstore.storefrontUrl + PAGE);
});

/** Waits until the extension shows a path and a state. */
async function entry(path: string, state?: unknown): Promise<Entry> {
  const shown = page.locator("s-text");
  await expectPage(shown).toContainText(
    `"path":"${path}"${state === undefined ? "" : `,"state":${JSON.stringify(state)}`}`,
  );
  return entrySchema.parse(JSON.parse(await shown.innerText()));
}

async function press(name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
}

test("a full page has an entry of the history, with its address and without a state", async () => {
  expect(await entry(PAGE)).toEqual({ key: expect.any(String) as unknown, path: PAGE });
});

test("a pushed route of the extension has another key, its state, and an event with the new entry", async () => {
  const { key } = await entry(PAGE);
  await press("Push");
  const pushed = await entry(`${PAGE}/lists/1`, { page: 2 });
  expect(pushed.key).not.toBe(key);
  expect(pushed.event).toBe(`push to ${pushed.key}`);
});

test("a route that replaces another one keeps its key and loses its state", async () => {
  await press("Push");
  const { key } = await entry(`${PAGE}/lists/1`, { page: 2 });
  await press("Replace");
  expect(await entry(`${PAGE}/lists/2`)).toEqual({ key, path: `${PAGE}/lists/2`, event: `replace to ${key}` });
});

test("back and forward lead to the entries with their keys and states", async () => {
  const start = await entry(PAGE);
  await press("Push");
  const pushed = await entry(`${PAGE}/lists/1`, { page: 2 });
  await page.goBack();
  expect(await entry(PAGE)).toEqual({ ...start, event: `traverse to ${start.key}` });
  await page.goForward();
  expect(await entry(`${PAGE}/lists/1`, { page: 2 })).toEqual({ ...pushed, event: `traverse to ${pushed.key}` });
});

test("an updated state stays with its entry, without an event", async () => {
  const { key } = await entry(PAGE);
  await press("Update");
  expect(await entry(PAGE, { page: 3 })).toEqual({ key, path: PAGE, state: { page: 3 } });
  await press("Push");
  await entry(`${PAGE}/lists/1`);
  await page.goBack();
  expect(await entry(PAGE, { page: 3 })).toMatchObject({ key });
});

test("a text field keeps what the customer types while the extension learns of it", async () => {
  await entry(PAGE);
  const input = page.getByRole("textbox");
  const overwritten = await input.evaluateHandle((element) => {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    const values: unknown[] = [];
    Object.defineProperty(element, "value", {
      ...(get ? { get } : {}),
      set(value: unknown) {
        values.push(value);
        set?.call(this, value);
      },
    });
    return values;
  });
  await input.pressSequentially("A long name");
  await expectPage(page.locator("s-paragraph")).toHaveText("A long name");
  expect(await overwritten.jsonValue()).toEqual([]);
  await expectPage(input).toHaveValue("A long name");
});

test("a page of the account is loaded in the place of the extension", async () => {
  await press("Profile");
  await page.waitForURL(/\/account\/profile$/);
  await expectPage(page.getByRole("heading", { name: "Profile" })).toBeVisible();
});
