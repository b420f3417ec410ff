import { BlockStack, Card, Text } from "@shopify/polaris";
import { ALERT_KINDS, type AlertChoices } from "../../alerts/kinds.ts";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { useShopDates } from "../shop-dates.tsx";

/** Shows which alerts a customer has asked for, and since when. */
export function AlertsCard({ choices: { since } }: { choices: AlertChoices }) {
  const { formatDate } = useShopDates();
  const chosen = ALERT_KINDS.flatMap((kind) => {
    const at = since[kind];
    return at === null ? [] : [{ kind, at }];
  });
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Alerts
        </Text>
        {chosen.length === 0 ? (
          <Text as="p" tone="subdued">
            The customer hasn&apos;t asked for alerts.
          </Text>
        ) : (
          chosen.map(({ kind, at }) => (
            <div key={kind}>
              <Text as="p">{ALERT_LABELS[kind].label}</Text>
              <Text as="p" tone="subdued" variant="bodySm">
                Asked for on {formatDate(at)}
              </Text>
            </div>
          ))
        )}
      </BlockStack>
    </Card>
  );
}
