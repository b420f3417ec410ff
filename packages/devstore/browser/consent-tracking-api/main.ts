import { customerPrivacy, setTrackingConsent, shouldShowBanner } from "./consent.ts";

// The API is complete once this script has run: `loadFeatures` then runs its callbacks.
if (window.Shopify) Object.assign(window.Shopify, { customerPrivacy });

/** Shows the banner until the visitor has decided. */
function followBanner(): void {
  const banner = document.querySelector<HTMLElement>("#consent-banner");
  if (banner === null) return;
  const update = () => {
    banner.hidden = !shouldShowBanner();
  };
  for (const button of banner.querySelectorAll<HTMLButtonElement>("button[data-consent]")) {
    const allowed = button.dataset["consent"] === "accept";
    button.addEventListener("click", () =>
      setTrackingConsent({ analytics: allowed, marketing: allowed, preferences: allowed, sale_of_data: allowed }),
    );
  }
  document.addEventListener("visitorConsentCollected", update);
  update();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", followBanner);
else followBanner();
