import { describe, expect, test } from "vitest";
import { homeNotices } from "../../../app/admin/home/notices.ts";
import type { HomeData } from "../../../app/admin/home/home-data.ts";
import { webhookNotices } from "../../../app/admin/webhooks/webhook-notices.ts";

const at = new Date("2026-11-20T09:30:00Z");
const DAY_MS = 24 * 3_600_000;

const NO_RESULTS = {
  ...{ sent: 0, visited: 0, opened: 0, addedToCart: 0, bought: 0, revenue: "0.00" },
  ...{ waiting: 0, notSent: 0, reasons: [], moreSent: false, moreNotSent: false },
};

function ask({
  keys = [],
  webhooks = [],
  syncProblem,
  alerts,
  missingPlan,
}: Partial<Pick<HomeData, "keys" | "webhooks" | "missingPlan">> & {
  syncProblem?: string;
  alerts?: Partial<NonNullable<HomeData["alerts"]>>;
}): string[] {
  const data: HomeData = {
    apiKey: "",
    domain: "",
    setup: { dismissed: false, menuLinked: false, storePath: "", sync: undefined, syncProblem },
    ...{ keys, webhooks, at, currency: null, readsOrders: false, ordersReported: false, missingPlan },
    ...{ began: false, days: [], earned: undefined, saved: undefined, wanted: undefined },
    ...{ withheld: [], people: undefined, billing: { frozen: undefined }, dataRequests: [] },
    alerts: { kinds: [], received: [], withheldEmails: [], results: NO_RESULTS, ...alerts },
  };
  return homeNotices(data, (moment) => moment.toISOString().slice(0, 10)).map(({ tone, title, text }) =>
    title.includes("The ") ? `${tone}: ${title}` : `${tone}: ${title}: ${text}`,
  );
}

test("a product sync that has failed for hours is shown with Shopify's response", () => {
  expect(ask({ syncProblem: "Shopify responded with 402" })).toEqual([
    expect.stringMatching(/^critical: Your products haven't been synced for hours: .* Shopify responded with 402\. /),
  ]);
});

test("alerts that are not emailed for lack of a permission are no alerts without a receiver", () => {
  const kinds = ["price_dropped", "low_stock"] as const;
  expect(ask({ alerts: { kinds, withheldEmails: ["price_dropped"] } })).toEqual([
    expect.stringMatching(/^critical: Email needs access to customers: .* not emailed: Price drops\.$/),
    expect.stringMatching(
      /^warning: Some alerts have no receiver: No active webhook or workflow receives: Low stock\. /,
    ),
  ]);
});

test("a shop whose plan has no alerts is not asked for the permission to email them", () => {
  expect(
    ask({
      alerts: { kinds: ["low_stock"], withheldEmails: ["low_stock"] },
      missingPlan: { name: "Growth", isFrozen: false },
    }),
  ).toEqual([]);
});

const WORKING = { name: null, disabledReason: null, disabledAt: null, failingSince: null, lastAttempt: undefined };

describe("a webhook is shown as a problem", () => {
  const webhook = { ...WORKING, webhookId: "whk_1", url: "https://erp.example.com/hook" };
  const failingSince = "2026-11-18T09:30:00.000Z";

  test.each([
    [
      "when the receiver is gone",
      { disabledReason: "gone" as const },
      ["critical: The webhook to erp.example.com is turned off"],
    ],
    [
      "after days of failures",
      { disabledReason: "failing" as const, failingSince },
      ["critical: The webhook to erp.example.com is turned off"],
    ],
    ["while it fails", { failingSince }, ["warning: The webhook to erp.example.com is failing"]],
  ])("%s", (_, state, text) => {
    expect(ask({ webhooks: [{ ...webhook, ...state }] })).toEqual(text);
  });

  test("while it is paused, also when it failed before", () => {
    const paused = { ...webhook, disabledReason: "paused" as const };
    const shown = ["warning: The webhook to erp.example.com is paused"];
    expect(ask({ webhooks: [paused] })).toEqual(shown);
    expect(ask({ webhooks: [{ ...paused, failingSince }] })).toEqual(shown);
  });

  test("by its name, if it has one", () => {
    expect(ask({ webhooks: [{ ...webhook, name: "Warehouse", failingSince }] })).toEqual([
      "warning: The webhook to Warehouse is failing",
    ]);
  });

  test("never while it works", () => {
    expect(ask({ webhooks: [webhook] })).toEqual([]);
  });
});

test("the notice of a disabled webhook says since when it failed, when it was disabled and why", () => {
  const disabled = {
    ...{ webhookId: "whk_1", name: null, url: "https://erp.example.com/hook", disabledReason: "failing" as const },
    ...{ failingSince: "2026-11-13T09:30:00.000Z", disabledAt: "2026-11-18T09:30:00.000Z" },
    lastAttempt: { at: "2026-11-18T09:30:00.000Z", durationMs: 84, status: 503, error: null },
  };
  expect(webhookNotices([disabled], (moment) => moment.toISOString().slice(0, 10))[0]?.text).toBe(
    "Every delivery has failed since 2026-11-13, so the webhook was turned off on 2026-11-18. Last attempt: Response 503 after 84 ms." +
      " Fix the endpoint or edit the URL, then turn the webhook on.",
  );
});

test("several webhooks share one banner with their count, most severe first", () => {
  const webhook = { ...WORKING, failingSince: "2026-11-18T09:30:00.000Z" };
  const failing = ["a", "b", "c"].map((host) => ({ ...webhook, webhookId: host, url: `https://${host}.example.com/` }));
  const gone = { ...WORKING, webhookId: "d", url: "https://d.example.com/", disabledReason: "gone" as const };
  expect(ask({ webhooks: [...failing, gone] })).toEqual([
    "critical: 4 webhooks need your attention: Messages don't arrive at d.example.com (turned off), a.example.com (failing), b.example.com (failing) and 1 more.",
  ]);
});

test("several keys that expire soon share one banner", () => {
  const key = { keyId: "wlk_1", name: "Storefront", expiresAt: new Date(at.getTime() + DAY_MS), successorKeyId: null };
  expect(ask({ keys: [key, { ...key, keyId: "wlk_2", name: "App" }] })).toEqual([
    "warning: 2 API keys expire soon: Systems that use them will lose access: “Storefront” (2026-11-21), “App” (2026-11-21). Create new keys to replace them.",
  ]);
});

describe("a key is shown as expiring", () => {
  const key = { keyId: "wlk_1", name: "Storefront", expiresAt: null, successorKeyId: null };
  const inDays = (days: number): Date => new Date(at.getTime() + days * DAY_MS);

  test("in the two weeks before its expiry", () => {
    expect(ask({ keys: [{ ...key, expiresAt: inDays(13) }] })).toEqual([
      "warning: The API key “Storefront” expires on 2026-12-03",
    ]);
  });

  test("never earlier, without an expiry or with a successor", () => {
    const successorKeyId = "wlk_2";
    expect(
      ask({ keys: [key, { ...key, expiresAt: inDays(15) }, { ...key, expiresAt: inDays(1), successorKeyId }] }),
    ).toEqual([]);
  });
});
