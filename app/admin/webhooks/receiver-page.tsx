import { BlockStack, Box, Button, Card, InlineStack, List, Tabs, Text } from "@shopify/polaris";
import { useState } from "react";
import { AdminPage } from "../admin-page.tsx";
import { copyText } from "../copy-field.tsx";
import { CodeBlock } from "./code-block.tsx";
import { RECEIVERS } from "./receivers.ts";

const TABS = RECEIVERS.map(({ language, file }) => ({ id: file, content: language, panelID: `${file}-code` }));

/** Programs that receive webhooks, to be copied. */
export function ReceiverPage() {
  const [place, setPlace] = useState(0);
  const receiver = RECEIVERS[place];
  return (
    <AdminPage title="Receiver code" back={{ label: "Webhooks", url: "/app/webhooks" }}>
      <BlockStack gap="400">
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              What a receiver does
            </Text>
            <List>
              <List.Item>
                It checks the signature with the webhook&apos;s secret, over the body as it came, and refuses what is
                older than five minutes.
              </List.Item>
              <List.Item>It answers 2xx within 15 seconds. Anything else is tried again, for about a day.</List.Item>
              <List.Item>
                It keeps each <code>webhook-id</code> for a day: a message can come more than once.
              </List.Item>
            </List>
            <Text as="p" tone="subdued">
              These programs need nothing but their language. In your own server, take the check over. Messages follow
              Standard Webhooks, for which there are libraries, too.
            </Text>
          </BlockStack>
        </Card>
        <Card padding="0">
          <Tabs tabs={TABS} selected={place} onSelect={setPlace}>
            {receiver && (
              <Box padding="400">
                <BlockStack gap="300">
                  <InlineStack align="space-between" blockAlign="center" gap="200">
                    <Text as="h2" variant="headingSm">
                      {receiver.file}
                    </Text>
                    <Button onClick={() => void copyText(receiver.code)} accessibilityLabel={`Copy ${receiver.file}`}>
                      Copy
                    </Button>
                  </InlineStack>
                  <CodeBlock label={receiver.file} code={receiver.code} />
                </BlockStack>
              </Box>
            )}
          </Tabs>
        </Card>
      </BlockStack>
    </AdminPage>
  );
}
