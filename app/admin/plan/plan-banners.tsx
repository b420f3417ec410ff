import { Banner } from "@shopify/polaris";
import { FrozenBanner } from "../frozen-banner.tsx";
import type { PlanData } from "./plan-data.ts";

/** Warns about a charge that was declined or could not be checked, and about a frozen subscription. */
export function PlanBanners({ plan, billing, approval, offered }: PlanData) {
  const planName = (wanted: string): string => offered.find((offer) => offer.plan === wanted)?.name ?? wanted;
  return (
    <>
      {approval && approval.plan === undefined && (
        <Banner
          tone="critical"
          title="Your plan couldn't be checked with Shopify"
          action={{ content: "Check again", url: `/app/plan?wanted=${approval.wanted}` }}
        >
          <p>If you approved the charge, your plan updates automatically within a few minutes.</p>
        </Banner>
      )}
      {approval?.plan !== undefined && approval.plan !== approval.wanted && (
        <Banner tone="info" title={`The ${planName(approval.wanted)} plan wasn't started`}>
          <p>
            The charge wasn't approved, so you're still on the {planName(plan)} plan. You can choose another plan at any
            time.
          </p>
        </Banner>
      )}
      {billing.frozen !== undefined && (
        <FrozenBanner planName={planName(billing.frozen)}>
          {`Until then, you're on the ${planName(plan)} plan and can't change plans.`}
        </FrozenBanner>
      )}
    </>
  );
}
