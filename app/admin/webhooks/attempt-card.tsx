import { BlockStack, Card, Text } from "@shopify/polaris";
import type { AttemptDetails } from "../../webhooks/views.ts";
import { useShopTime } from "../shop-time.tsx";
import { CodeBlock } from "./code-block.tsx";
import { duration } from "./webhook-data.ts";

function requestText({ url, headers }: NonNullable<AttemptDetails["request"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines, "webhook-signature: v1,… (made with the secret, not stored)"].join("\n");
}

/** One attempt: the request without its body, and the response. */
export function AttemptCard({ attempt }: { attempt: AttemptDetails }) {
  const { minute } = useShopTime();
  const { number, at, durationMs, status, error, response, request } = attempt;
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="050">
          <Text as="h2" variant="headingMd">
            Attempt {number}: {status === null ? "no response" : `response ${status}`}
          </Text>
          <Text as="p" tone="subdued">
            {minute(new Date(at))}, took {duration(durationMs)}
          </Text>
        </BlockStack>
        {error !== null && (
          <Text as="p" tone="critical" breakWord>
            {error.charAt(0).toUpperCase() + error.slice(1)}
          </Text>
        )}
        {request !== null && (
          <CodeBlock label={`Request of attempt ${number}`} title="Request" code={requestText(request)} wrap />
        )}
        {response !== null && response !== "" && (
          <CodeBlock label={`Response to attempt ${number}`} title="Response" code={response} wrap />
        )}
        {response === "" && <Text as="p">The response was empty.</Text>}
      </BlockStack>
    </Card>
  );
}
