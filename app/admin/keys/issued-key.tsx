import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import type { IssuedKeyView } from "../../access/views.ts";
import { CopyField } from "../copy-field.tsx";

/** Returns a terminal command that exchanges the key for a token. */
function curlCommand(origin: string, { keyId, secret }: IssuedKeyView): string {
  return `curl -s ${origin}/v1/auth/token -H 'content-type: application/json' -d '{"api_key":"${keyId}","api_secret":"${secret}"}'`;
}

/** Shows a new key. Its secret is never shown again. */
export function IssuedKey({ issued, origin }: { issued: IssuedKeyView; origin: string }) {
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
        <CopyField label="Get an access token (valid for one hour)" value={curlCommand(origin, issued)} multiline />
        <Text as="p" tone="subdued">
          Send the token with each request as <code>Authorization: Bearer …</code>. The requests are described in the{" "}
          <a href={`${origin}/v1/docs`} target="_blank" rel="noreferrer">
            API documentation
          </a>
          .
        </Text>
      </BlockStack>
    </Card>
  );
}
