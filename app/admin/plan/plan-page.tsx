import { useNavigate } from "@remix-run/react";
import { BlockStack, Box, InlineGrid, Text } from "@shopify/polaris";
import { useCallback, useEffect, useRef, useState } from "react";
import { PLANS } from "../../billing/plans.ts";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { PlanBanners } from "./plan-banners.tsx";
import { PlanCard } from "./plan-card.tsx";
import { describeDowngrade } from "./downgrade.ts";
import type { PlanOffer, PlanData } from "./plan-data.ts";

const DOWNGRADE = "downgrade";

/** Confirms an approved plan once, and removes the approval from the URL. */
function useApprovalToast({ approval, offered }: Pick<PlanData, "approval" | "offered">): void {
  const navigate = useNavigate();
  const shown = useRef(false);
  const approved = approval !== undefined && approval.plan === approval.wanted;
  const name = offered.find(({ plan }) => plan === approval?.wanted)?.name ?? "";
  useEffect(() => {
    if (!approved || shown.current) return;
    shown.current = true;
    shopify.toast.show(`You're now on the ${name} plan`);
    navigate("/app/plan", { replace: true });
  }, [approved, name, navigate]);
}

function ChargeInfo({ plan, billing }: PlanData) {
  const { formatDate } = useShopDates();
  const { tests, trialEndsAt, periodEndsAt } = billing;
  const sentences = [
    plan !== "free" && trialEndsAt ? `Your free trial ends on ${formatDate(trialEndsAt)}.` : "",
    plan !== "free" && !trialEndsAt && periodEndsAt ? `Your next charge is on ${formatDate(periodEndsAt)}.` : "",
    tests
      ? "This is a development store, so charges are tests and nothing is billed."
      : "Charges appear on your Shopify bill.",
  ].filter((text) => text !== "");
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <Text as="p" tone="subdued">
        {sentences.join(" ")}
      </Text>
    </Box>
  );
}

function badgeOf(offer: PlanOffer, { plan, billing }: PlanData) {
  if (offer.plan === plan) return { label: "Current plan", tone: "success" as const };
  return offer.plan === billing.frozen ? { label: "Frozen", tone: "warning" as const } : undefined;
}

/** Returns the button label. @param steps distance from the current plan; negative for lower plans */
function actionOf({ name }: PlanOffer, steps: number, { frozen }: PlanData["billing"]): string | undefined {
  // Shopify rejects new charges until the store's bill is paid.
  if (steps === 0 || (frozen !== undefined && steps > 0)) return undefined;
  return `${steps > 0 ? "Upgrade" : "Downgrade"} to ${name}`;
}

/** Shows the plans with buttons to upgrade or downgrade. */
export function PlanPage(data: PlanData) {
  const { plan, billing, offered } = data;
  useApprovalToast(data);
  // Shopify's approval page replaces the whole admin, and returns to this page.
  const openApproval = useCallback((url: string) => {
    open(url, "_top");
  }, []);
  const onDowngraded = useCallback(() => {
    shopify.toast.show("You're now on the Free plan");
  }, []);
  const starter = useForm<string>("subscribe", { plan: "starter" }, { onDone: openApproval });
  const growth = useForm<string>("subscribe", { plan: "growth" }, { onDone: openApproval });
  const free = useForm("cancel", {}, { onDone: onDowngraded });
  const forms = { free, starter, growth };
  const busy = free.busy || starter.busy || growth.busy;
  // The lower plan that the merchant is asked about.
  const [lower, setLower] = useState<"free" | "starter">("free");
  const currentIndex = offered.findIndex((offer) => offer.plan === plan);
  return (
    <AdminPage title="Plan">
      <BlockStack gap="400">
        <FormProblem of={[free, starter, growth]} title="Your plan wasn't changed" />
        <PlanBanners {...data} />
        <InlineGrid columns={{ xs: 1, md: 3 }} gap="400">
          {offered.map((offer, index) => (
            <PlanCard
              key={offer.plan}
              offer={offer}
              lowerPlan={offered[index - 1]}
              badge={badgeOf(offer, data)}
              action={actionOf(offer, index - currentIndex, billing)}
              primary={index === currentIndex + 1}
              trialDays={billing.frozen === undefined ? billing.trialDaysLeft : 0}
              currency={data.currency}
              loading={forms[offer.plan].busy}
              disabled={busy}
              onChoose={() => {
                if (offer.plan !== "growth" && index < currentIndex) {
                  setLower(offer.plan);
                  void shopify.modal.show(DOWNGRADE);
                } else forms[offer.plan].submit();
              }}
            />
          ))}
        </InlineGrid>
        <ChargeInfo {...data} />
      </BlockStack>
      <ConfirmModal
        id={DOWNGRADE}
        title={`Downgrade to ${PLANS[lower].name}?`}
        action="Downgrade"
        onConfirm={forms[lower].submit}
        lists={describeDowngrade(lower, data)}
      >
        {lower === "free"
          ? "The plan changes at once. Shopify credits you for the unused days."
          : "Shopify asks you to approve the new charge. The plan changes at once when you approve it."}
      </ConfirmModal>
    </AdminPage>
  );
}
