import { Banner } from "@shopify/polaris";
import type { PlanData } from "./plan-data.ts";

/** What the merchant should know of the charge: that it came to nothing, can't be told, or is frozen. */
export function PlanBanners({ plan, billing, returned, offered }: PlanData) {
  const nameOf = (wanted: string): string => offered.find((one) => one.plan === wanted)?.name ?? wanted;
  return (
    <>
      {returned && returned.plan === undefined && (
        <Banner
          tone="warning"
          title="Shopify can't be asked at the moment"
          action={{ content: "Look again", url: `/app/plan?wanted=${returned.wanted}` }}
        >
          <p>If you have approved the charge, the plan changes by itself within minutes.</p>
        </Banner>
      )}
      {returned?.plan !== undefined && returned.plan !== returned.wanted && (
        <Banner tone="info" title={`You are not on the ${nameOf(returned.wanted)} plan`}>
          <p>The charge was not approved, so nothing changed: you stay on {nameOf(plan)}. You can choose it again.</p>
        </Banner>
      )}
      {billing.frozen !== undefined && (
        <Banner tone="warning" title={`Shopify has frozen the ${nameOf(billing.frozen)} subscription`}>
          <p>
            Your store has a bill at Shopify that is not paid. Once it is, the plan is back by itself; until then the{" "}
            {nameOf(plan)} plan holds.
          </p>
        </Banner>
      )}
    </>
  );
}
