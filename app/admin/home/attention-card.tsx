import { useRevalidator } from "@remix-run/react";
import { Badge, BlockStack, Box, Button, Card, Divider, InlineStack, Text } from "@shopify/polaris";
import { Fragment } from "react";
import { AllowCustomersButton } from "../customers-permission.tsx";
import { AllowOrdersButton } from "../orders-permission.tsx";
import type { HomeAlert } from "./alerts.ts";

function Mend({ alert: { url, action, permission } }: { alert: HomeAlert }) {
  const { revalidate, state } = useRevalidator();
  if (permission === "customers") return <AllowCustomersButton />;
  if (permission === "orders") return <AllowOrdersButton />;
  if (action === undefined) return null;
  if (url !== undefined) return <Button url={url}>{action}</Button>;
  return (
    <Button onClick={revalidate} loading={state !== "idle"}>
      {action}
    </Button>
  );
}

/** Lists what does not work until the merchant acts, the most severe first, each with the way to mend it. */
export function AttentionCard({ alerts }: { alerts: readonly HomeAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          Needs a hand
        </Text>
      </Box>
      {alerts.map((alert) => (
        <Fragment key={alert.key}>
          <Divider />
          <Box paddingInline="400" paddingBlock="300">
            <InlineStack align="space-between" blockAlign="center" gap="300">
              <div style={{ flex: "1 1 18rem", minWidth: 0 }}>
                <BlockStack gap="100">
                  <InlineStack align="start" gap="200" blockAlign="center">
                    <Text as="h3" variant="headingSm">
                      {alert.title}
                    </Text>
                    <Badge tone={alert.tone}>{alert.tone === "critical" ? "Urgent" : "To do"}</Badge>
                  </InlineStack>
                  <Text as="p" tone="subdued" breakWord>
                    {alert.text}
                  </Text>
                </BlockStack>
              </div>
              <Mend alert={alert} />
            </InlineStack>
          </Box>
        </Fragment>
      ))}
    </Card>
  );
}
