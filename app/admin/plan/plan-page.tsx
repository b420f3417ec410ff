import { useNavigate } from "@remix-run/react";
import { Banner, BlockStack, Box, InlineGrid, Text } from "@shopify/polaris";
import { useCallback, useEffect, useRef } from "react";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { PlanBanners } from "./plan-banners.tsx";
import { PlanCard } from "./plan-card.tsx";
import { linksKept, type OfferedPlan, type PlanData } from "./plan-data.ts";

const DOWNGRADE = "downgrade-to-free";

/** Says once that the plan is there, and takes what brought the merchant here off the address. */
function useWelcome({ returned, offered }: Pick<PlanData, "returned" | "offered">): void {
  const navigate = useNavigate();
  const told = useRef(false);
  const there = returned !== undefined && returned.plan === returned.wanted;
  const name = offered.find(({ plan }) => plan === returned?.wanted)?.name ?? "";
  useEffect(() => {
    if (!there || told.current) return;
    told.current = true;
    shopify.toast.show(`You're now on the ${name} plan`);
    navigate("/app/plan", { replace: true });
  }, [there, name, navigate]);
}

function Charge({ plan, billing }: PlanData) {
  const { day } = useShopTime();
  const { tests, trialEndsAt, periodEndsAt } = billing;
  const says = [
    plan !== "free" && trialEndsAt ? `Your trial ends on ${day(trialEndsAt)}.` : "",
    plan !== "free" && !trialEndsAt && periodEndsAt ? `Your next charge is on ${day(periodEndsAt)}.` : "",
    tests
      ? "This is a development store, so charges are tests and nothing is billed."
      : "Charges appear on your Shopify bill.",
  ].filter((text) => text !== "");
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <Text as="p" tone="subdued">
        {says.join(" ")}
      </Text>
    </Box>
  );
}

function badgeOf(offer: OfferedPlan, { plan, billing }: PlanData) {
  if (offer.plan === plan) return { label: "Current plan", tone: "success" as const };
  return offer.plan === billing.frozen ? { label: "Frozen", tone: "warning" as const } : undefined;
}

/** @param steps how many plans above the current one; below it when negative */
function actionOf({ name }: OfferedPlan, steps: number, { frozen }: PlanData["billing"]): string | undefined {
  // Shopify starts no charge before the store's bill is paid.
  if (steps === 0 || (frozen !== undefined && steps > 0)) return undefined;
  return `${steps > 0 ? "Upgrade" : "Downgrade"} to ${name}`;
}

/** The plans, with the current one and the buttons to change it. */
export function PlanPage(data: PlanData) {
  const { plan, billing, openLinks, offered } = data;
  useWelcome(data);
  // The whole admin goes to Shopify's page of the charge, and comes back here.
  const approve = useCallback((url: string) => {
    open(url, "_top");
  }, []);
  const downgraded = useCallback(() => {
    shopify.toast.show("You're now on the Free plan");
  }, []);
  const starter = useForm<string>("subscribe", { plan: "starter" }, { onDone: approve });
  const growth = useForm<string>("subscribe", { plan: "growth" }, { onDone: approve });
  const free = useForm("cancel", {}, { onDone: downgraded });
  const forms = { free, starter, growth };
  const busy = free.busy || starter.busy || growth.busy;
  const problem = free.problem ?? starter.problem ?? growth.problem;
  const place = offered.findIndex((offer) => offer.plan === plan);
  return (
    <AdminPage title="Plan">
      <BlockStack gap="400">
        {problem !== undefined && (
          <Banner tone="critical" title="Your plan wasn't changed">
            <p>{problem}</p>
          </Banner>
        )}
        <PlanBanners {...data} />
        <InlineGrid columns={{ xs: 1, md: 3 }} gap="400">
          {offered.map((offer, at) => (
            <PlanCard
              key={offer.plan}
              offer={offer}
              before={offered[at - 1]}
              badge={badgeOf(offer, data)}
              action={actionOf(offer, at - place, billing)}
              primary={at === place + 1}
              trialDays={billing.frozen === undefined ? billing.trialDaysLeft : 0}
              loading={forms[offer.plan].busy}
              disabled={busy}
              onChoose={() => {
                if (offer.plan === "free") void shopify.modal.show(DOWNGRADE);
                else forms[offer.plan].submit();
              }}
            />
          ))}
        </InlineGrid>
        <Charge {...data} />
      </BlockStack>
      <ConfirmModal id={DOWNGRADE} title="Downgrade to Free?" action="Downgrade" onConfirm={free.submit}>
        {linksKept(openLinks)} On the Free plan, new share links can&apos;t be created in your store or through the API.
        Saved items don&apos;t change. Shopify credits you for the unused days.
      </ConfirmModal>
    </AdminPage>
  );
}
