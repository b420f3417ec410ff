import { z } from "zod";

const KINDS = ["analytics", "marketing", "preferences", "sale_of_data"] as const;
type Kind = (typeof KINDS)[number];

const COOKIE = "_tracking_consent";
const COOKIE_SECONDS = 365 * 24 * 3_600;

const decisionSchema = z.enum(["yes", "no", ""]).catch("");
const visitorConsentSchema = z.object({
  analytics: decisionSchema,
  marketing: decisionSchema,
  preferences: decisionSchema,
  sale_of_data: decisionSchema,
});
/** The visitor's decisions; "" for none. */
type VisitorConsent = z.infer<typeof visitorConsentSchema>;

const configSchema = z.object({ consentRequired: z.boolean() });

/** Tells whether the visitor is in a region in which processing needs consent. */
function isConsentRequired(): boolean {
  const json = document.querySelector("#shopify-consent-config")?.textContent ?? "{}";
  return configSchema.safeParse(JSON.parse(json)).data?.consentRequired === true;
}

function currentVisitorConsent(): VisitorConsent {
  const pair = document.cookie.split("; ").find((one) => one.startsWith(`${COOKIE}=`));
  const undecided = { analytics: "", marketing: "", preferences: "", sale_of_data: "" } as const;
  if (pair === undefined) return undecided;
  try {
    return visitorConsentSchema.parse(JSON.parse(decodeURIComponent(pair.slice(COOKIE.length + 1))));
  } catch {
    return undecided;
  }
}

/** A visitor can always opt out. Where consent is required, processing is allowed only after opting in; sale of data needs no opt-in. */
function isAllowed(kind: Kind): boolean {
  const decision = currentVisitorConsent()[kind];
  return decision === "yes" || (decision === "" && (kind === "sale_of_data" || !isConsentRequired()));
}

export function shouldShowBanner(): boolean {
  return isConsentRequired() && Object.values(currentVisitorConsent()).every((decision) => decision === "");
}

/** Stores decisions, keeps the others, and dispatches `visitorConsentCollected`. @param callback receives an error if there was one */
export function setTrackingConsent(
  decisions: Partial<Record<Kind, boolean>>,
  callback: (result?: { error: string }) => void = () => undefined,
): void {
  if (typeof decisions !== "object" || Object.values(decisions).some((decision) => typeof decision !== "boolean")) {
    callback({ error: "setTrackingConsent takes an object of booleans" });
    return;
  }
  const consent: VisitorConsent = currentVisitorConsent();
  for (const kind of KINDS) {
    const decision = decisions[kind];
    if (decision !== undefined) consent[kind] = decision ? "yes" : "no";
  }
  document.cookie = `${COOKIE}=${encodeURIComponent(JSON.stringify(consent))}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
  const detail = {
    analyticsAllowed: isAllowed("analytics"),
    firstPartyMarketingAllowed: isAllowed("marketing"),
    thirdPartyMarketingAllowed: isAllowed("marketing"),
    marketingAllowed: isAllowed("marketing"),
    preferencesAllowed: isAllowed("preferences"),
    saleOfDataAllowed: isAllowed("sale_of_data"),
  };
  document.dispatchEvent(new CustomEvent("visitorConsentCollected", { detail }));
  callback();
}

/** `Shopify.customerPrivacy`: https://shopify.dev/docs/api/customer-privacy */
export const customerPrivacy = {
  currentVisitorConsent,
  setTrackingConsent,
  shouldShowBanner,
  analyticsProcessingAllowed: () => isAllowed("analytics"),
  marketingAllowed: () => isAllowed("marketing"),
  preferencesProcessingAllowed: () => isAllowed("preferences"),
  saleOfDataAllowed: () => isAllowed("sale_of_data"),
};
