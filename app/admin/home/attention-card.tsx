import { useRevalidator } from "@remix-run/react";
import { Badge, BlockStack, Box, Button, Card, Divider, InlineStack, Text } from "@shopify/polaris";
import { Fragment } from "react";
import { AllowCustomersButton } from "../customers-permission.tsx";
import { AllowOrdersButton } from "../orders-permission.tsx";
import type { HomeNotice } from "./notices.ts";

function Mend({ notice: { url, action, permission } }: { notice: HomeNotice }) {
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
export function AttentionCard({ notices }: { notices: readonly HomeNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          Needs a hand
        </Text>
      </Box>
      {notices.map((notice) => (
        <Fragment key={notice.key}>
          <Divider />
          <Box paddingInline="400" paddingBlock="300">
            <InlineStack align="space-between" blockAlign="center" gap="300">
              <div style={{ flex: "1 1 18rem", minWidth: 0 }}>
                <BlockStack gap="100">
                  <InlineStack align="start" gap="200" blockAlign="center">
                    <Text as="h3" variant="headingSm">
                      {notice.title}
                    </Text>
                    <Badge tone={notice.tone}>{notice.tone === "critical" ? "Urgent" : "To do"}</Badge>
                  </InlineStack>
                  <Text as="p" tone="subdued" breakWord>
                    {notice.text}
                  </Text>
                </BlockStack>
              </div>
              <Mend notice={notice} />
            </InlineStack>
          </Box>
        </Fragment>
      ))}
    </Card>
  );
}
