import { BlockStack, Card, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../../alerts/kinds.ts";
import { Disclosure } from "../disclosure.tsx";
import { CodeBlock } from "../webhooks/code-block.tsx";
import { ALERT_LABELS } from "./alert-labels.ts";

/** Shows the message that a webhook receives, for each kind. */
export function PayloadCard({ payloads }: { payloads: Readonly<Record<AlertKind, string>> }) {
  const [kind, setKind] = useState<AlertKind>("price_dropped");
  return (
    <Card>
      <BlockStack gap="400">
        <Select
          label="Kind of alert"
          options={ALERT_KINDS.map((value) => ({ value, label: ALERT_LABELS[value].label }))}
          value={kind}
          onChange={(value) => setKind(alertKindSchema.parse(value))}
        />
        <Disclosure label="Show example" openLabel="Hide example">
          <CodeBlock label={`Example: ${ALERT_LABELS[kind].label}`} code={payloads[kind]} />
        </Disclosure>
        <Text as="p" tone="subdued">
          The link in “url” records that the customer opened the alert. Add “withdrawUrl” to each message, so that
          customers can end alerts without logging in.
        </Text>
      </BlockStack>
    </Card>
  );
}
