import { Banner, BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import type { Tagging } from "../../customers/tagging.ts";
import { AllowTagsButton } from "../customer-tags-permission.tsx";
import { FailureText } from "../failure-text.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { useForm } from "../use-form.ts";

/** Says how many customers Shopify refused to tag; undefined for none. */
function describeRefused({ refused, problem }: Tagging): string | undefined {
  if (refused === 0) return undefined;
  const reason = problem === undefined ? "" : ` Shopify says: ${problem}`;
  return `${formatCount(refused, "customer")} could not be tagged.${reason}`;
}

function Running({ tagging }: { tagging: Tagging }) {
  const { id, tag, tagged, refused, total } = tagging;
  const stop = useForm("stop-tagging", {}, { hidden: { id } });
  const done = tagged + refused;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd" breakWord>
            {`Adding the tag “${tag}”`}
          </Text>
          <Button loading={stop.busy} onClick={stop.submit}>
            Stop
          </Button>
        </InlineStack>
        <ProgressBar progress={(100 * done) / total} size="small" ariaLabelledBy={`tagging-${id}`} />
        <Text as="p" tone="subdued" id={`tagging-${id}`}>
          {`${formatNumber(done)} of ${formatCount(total, "customer")}. You can leave this page meanwhile.`}
        </Text>
        <FailureText text={describeRefused(tagging)} />
        <FailureText text={stop.problem} />
      </BlockStack>
    </Card>
  );
}

const TONES = { done: "success", stopped: "info", not_permitted: "critical" } as const;

/** Says what became of a tag that staff add to customers, until they dismiss it. */
export function TaggingStatusCard({ tagging }: { tagging: Tagging }) {
  const { id, tag, status, tagged, total } = tagging;
  const dismiss = useForm("dismiss-tagging", {}, { hidden: { id } });
  if (status === "running") return <Running tagging={tagging} />;
  const of =
    tagged === total ? formatCount(total, "customer") : `${formatNumber(tagged)} of ${formatCount(total, "customer")}`;
  const refused = describeRefused(tagging);
  return (
    <Banner
      tone={status === "done" && tagged < total ? "warning" : TONES[status]}
      title={`The tag “${tag}” was added to ${of}`}
      action={{ content: "Open customers", url: "shopify://admin/customers", target: "_top" }}
      onDismiss={dismiss.submit}
    >
      <BlockStack gap="200">
        {status === "done" && tagged > 0 && <p>With it you can make a segment of these customers in Shopify.</p>}
        {status === "stopped" && <p>It was stopped. Customers who have the tag keep it.</p>}
        {status === "not_permitted" && (
          <>
            <p>This app may no longer tag customers. Allow it, then tag the customers again.</p>
            <AllowTagsButton />
          </>
        )}
        {refused !== undefined && <p>{refused}</p>}
        <FailureText text={dismiss.problem} />
      </BlockStack>
    </Banner>
  );
}
