import { BlockStack, Box, Button, Card, InlineStack, List, Tabs, Text } from "@shopify/polaris";
import { useState } from "react";
import { AdminPage } from "../admin-page.tsx";
import { useCopy } from "../copy-field.tsx";
import { FailureText } from "../failure-text.tsx";
import { CodeBlock } from "./code-block.tsx";
import { SAMPLE_RECEIVERS } from "./sample-receivers.ts";

const TABS = SAMPLE_RECEIVERS.map(({ language, file }) => ({ id: file, content: language, panelID: `${file}-code` }));

/** Shows sample receivers to copy. */
export function ReceiverPage() {
  const [selected, setSelected] = useState(0);
  const { failure, copy } = useCopy();
  const receiver = SAMPLE_RECEIVERS[selected];
  return (
    <AdminPage title="Receiver code" back={{ label: "Webhooks", url: "/app/webhooks" }}>
      <BlockStack gap="400">
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              What a receiver must do
            </Text>
            <List>
              <List.Item>
                Verify the signature with the webhook&apos;s secret over the unchanged body, and reject messages that
                are older than five minutes.
              </List.Item>
              <List.Item>
                Respond with 2xx within 15 seconds. Otherwise the delivery is retried for about a day.
              </List.Item>
              <List.Item>
                Remember each <code>webhook-id</code> for a day, because a message can arrive more than once.
              </List.Item>
            </List>
            <Text as="p" tone="subdued">
              These programs have no dependencies. Messages follow the Standard Webhooks specification, so you can also
              use a Standard Webhooks library.
            </Text>
          </BlockStack>
        </Card>
        <Card padding="0">
          <Tabs tabs={TABS} selected={selected} onSelect={setSelected}>
            {receiver && (
              <Box padding="400">
                <BlockStack gap="300">
                  <InlineStack align="space-between" blockAlign="center" gap="200">
                    <Text as="h2" variant="headingSm">
                      {receiver.file}
                    </Text>
                    <Button onClick={() => copy(receiver.code)} accessibilityLabel={`Copy ${receiver.file}`}>
                      Copy
                    </Button>
                  </InlineStack>
                  <FailureText text={failure} />
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
