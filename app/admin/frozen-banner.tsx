import { Banner } from "@shopify/polaris";

/**
 * Says that the shop's subscription is frozen, and leads to the bill.
 * @param props.planName the frozen plan's name
 * @param props.children sentences on what is off until then
 */
export function FrozenBanner({ planName, children }: { planName: string; children: string }) {
  return (
    <Banner
      tone="warning"
      title={`Your ${planName} subscription is frozen`}
      action={{ content: "Open billing in Shopify", url: "shopify://admin/settings/billing", target: "_top" }}
    >
      <p>
        Your store has an unpaid Shopify bill. When the bill is paid, your {planName} plan resumes automatically.{" "}
        {children}
      </p>
    </Banner>
  );
}
