import { describe, expect, test } from "vitest";
import { describeNextAttempt, describeOutcome, isSentSoon } from "../../../app/admin/webhooks/webhook-data.ts";
import type { MerchantWebhook } from "../../../app/webhooks/subscriptions/views.ts";

const at = new Date("2026-11-20T09:30:00.000Z");
const minute = (moment: Date): string => moment.toISOString().slice(11, 16);

const working: MerchantWebhook = {
  webhookId: "whk_1",
  url: "https://hooks.example.com/",
  events: ["wishlist.shared"],
  batch: false,
  name: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  backoffUntil: null,
  previousSecretValidUntil: null,
};
const failing = { ...working, failingSince: "2026-11-20T09:00:00.000Z" };
const backingOff = { ...failing, backoffUntil: "2026-11-20T09:34:00.000Z" };

const due = { status: "pending", nextAttemptAt: at.toISOString() } as const;

describe("a delivery that waits for a failing endpoint, a redelivery in bulk included", () => {
  const waiting = { ...due, immediate: false };

  test("is not polled for", () => {
    expect(isSentSoon(waiting, backingOff, at)).toBe(false);
    expect(isSentSoon(waiting, failing, at)).toBe(false);
  });

  test("shows when the endpoint is probed next, not that it is sent in a moment", () => {
    expect(describeNextAttempt(waiting, backingOff, at, minute)).toBe("09:34 or later");
    expect(describeNextAttempt(waiting, failing, at, minute)).toContain("When the endpoint recovers");
  });
});

test("a test or a single redelivery is polled for and sent in a moment while the endpoint fails", () => {
  const immediate = { ...due, immediate: true };
  expect(isSentSoon(immediate, backingOff, at)).toBe(true);
  expect(describeNextAttempt(immediate, backingOff, at, minute)).toBe("In a moment");
});

test("a delivery to a working endpoint is polled for, but not to one that is turned off", () => {
  const waiting = { ...due, immediate: false };
  expect(isSentSoon(waiting, working, at)).toBe(true);
  expect(isSentSoon(waiting, { ...working, enabled: false }, at)).toBe(false);
  expect(describeNextAttempt(waiting, { ...working, enabled: false }, at, minute)).toBe(
    "When the webhook is turned on",
  );
});

describe("an attempt that was accepted", () => {
  const attempt = { at: at.toISOString(), durationMs: 84, status: 250, error: null };

  test("is described without SMTP's status for an email", () => {
    expect(describeOutcome(attempt, { webhookId: "email" })).toBe("Accepted by the mail server");
  });

  test("is described with the status and the time for a webhook", () => {
    expect(describeOutcome({ ...attempt, status: 204 }, working)).toBe("Response 204 after 84 ms");
  });
});
