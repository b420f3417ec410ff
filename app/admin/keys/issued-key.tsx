import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import { CopyField } from "../copy-field.tsx";
import type { IssuedKeyData } from "./key-data.ts";

/** The line that turns the key into a token, as it can be pasted into a terminal. */
function curlLine(origin: string, { keyId, secret }: IssuedKeyData): string {
  return `curl -s ${origin}/v1/auth/token -H 'content-type: application/json' -d '{"api_key":"${keyId}","api_secret":"${secret}"}'`;
}

/** A key that was just created. Its secret is never shown again. */
export function IssuedKey({ issued, origin }: { issued: IssuedKeyData; origin: string }) {
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone="warning" title="Copy the secret now">
          <p>
            You can see the secret only once. Anyone who has it can use the key, so keep it out of code and messages.
          </p>
        </Banner>
        <CopyField label="Key ID" value={issued.keyId} />
        <CopyField label="Secret" value={issued.secret} />
        <CopyField label="Get an access token (valid for one hour)" value={curlLine(origin, issued)} multiline />
        <Text as="p" tone="subdued">
          Send the token with each request as <code>Authorization: Bearer …</code>. All requests are described in the{" "}
          <a href={`${origin}/v1/docs`} target="_blank" rel="noreferrer">
            API documentation
          </a>
          .
        </Text>
      </BlockStack>
    </Card>
  );
}
