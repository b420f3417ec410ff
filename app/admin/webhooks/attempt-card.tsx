import { BlockStack, Card, Text } from "@shopify/polaris";
import type { AttemptDetails } from "../../webhooks/subscriptions/views.ts";
import { useShopDates } from "../shop-dates.tsx";
import { CodeBlock } from "./code-block.tsx";
import { formatDuration } from "./webhook-data.ts";

function requestText({ url, headers }: NonNullable<AttemptDetails["request"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines, "webhook-signature: v1,… (not stored)"].join("\n");
}

/** Shows an attempt: the request without its body, and the response. */
export function AttemptCard({ attempt }: { attempt: AttemptDetails }) {
  const { formatMoment } = useShopDates();
  const { number, at, durationMs, status, error, response, request, batched } = attempt;
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="050">
          <Text as="h2" variant="headingMd">
            Attempt {number}: {status === null ? "no response" : `response ${status}`}
          </Text>
          <Text as="p" tone="subdued">
            {formatMoment(new Date(at))}, took {formatDuration(durationMs)}
            {batched && ". The request carried a batch with this event."}
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
