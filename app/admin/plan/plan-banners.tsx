import { Banner } from "@shopify/polaris";
import type { PlanData } from "./plan-data.ts";

/** Tells of a charge that was declined, could not be checked, or is frozen. */
export function PlanBanners({ plan, billing, returned, offered }: PlanData) {
  const nameOf = (wanted: string): string => offered.find((one) => one.plan === wanted)?.name ?? wanted;
  return (
    <>
      {returned && returned.plan === undefined && (
        <Banner
          tone="warning"
          title="Your plan couldn't be checked with Shopify"
          action={{ content: "Check again", url: `/app/plan?wanted=${returned.wanted}` }}
        >
          <p>If you approved the charge, your plan updates automatically within a few minutes.</p>
        </Banner>
      )}
      {returned?.plan !== undefined && returned.plan !== returned.wanted && (
        <Banner tone="info" title={`The ${nameOf(returned.wanted)} plan wasn't started`}>
          <p>
            The charge wasn't approved, so you're still on the {nameOf(plan)} plan. You can choose another plan at any
            time.
          </p>
        </Banner>
      )}
      {billing.frozen !== undefined && (
        <Banner tone="warning" title={`Your ${nameOf(billing.frozen)} subscription is frozen`}>
          <p>
            Your store has an unpaid Shopify bill. When the bill is paid, your {nameOf(billing.frozen)} plan resumes
            automatically. Until then, you're on the {nameOf(plan)} plan and can't change plans.
          </p>
        </Banner>
      )}
    </>
  );
}
