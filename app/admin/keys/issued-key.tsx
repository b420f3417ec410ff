import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import type { IssuedKeyView } from "../../access/views.ts";
import { CopyField } from "../copy-field.tsx";

/** Returns a terminal command that exchanges the key for a token. */
function curlCommand(origin: string, keyId: string, secret: string): string {
  return `curl -s ${origin}/v1/auth/token -H 'content-type: application/json' -d '{"api_key":"${keyId}","api_secret":"${secret}"}'`;
}

/** Shows a new publishable key, which has no secret. */
function PublishedKey({ keyId, origin }: { keyId: string; origin: string }) {
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone="info" title="This key can be in your storefront's code">
          <p>It works on pages of the allowed origins only, and each shopper reaches only their own lists.</p>
        </Banner>
        <CopyField label="Publishable key" value={keyId} />
        <Text as="p" tone="subdued">
          Your storefront exchanges the key for a shopper&apos;s token at{" "}
          <code>{`${origin}/v1/auth/storefront-token`}</code>. The requests are described in the{" "}
          <a href={`${origin}/v1/docs`} target="_blank" rel="noreferrer">
            API documentation
          </a>
          .
        </Text>
      </BlockStack>
    </Card>
  );
}

/** Shows a new key. Its secret is never shown again. */
export function IssuedKey({ issued, origin }: { issued: IssuedKeyView; origin: string }) {
  const { keyId, secret } = issued;
  if (secret === undefined) return <PublishedKey keyId={keyId} origin={origin} />;
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone="warning" title="Copy the secret now">
          <p>
            You can see the secret only once. Anyone who has it can use the key, so keep it out of code and messages.
          </p>
        </Banner>
        <CopyField label="Key ID" value={keyId} />
        <CopyField label="Secret" value={secret} />
        <CopyField
          label="Get an access token (valid for one hour)"
          value={curlCommand(origin, keyId, secret)}
          multiline
        />
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
