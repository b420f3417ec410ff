import { BlockStack, Card, DescriptionList, InlineStack, Link, Text } from "@shopify/polaris";
import { useShopTime } from "../shop-time.tsx";
import { KIND_LABELS, SCOPE_WORDS, stateOf, type KeyData } from "./key-data.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";

/** The properties of a key. */
export function KeyFacts({ apiKey, at }: { apiKey: KeyData; at: Date }) {
  const { day, minute } = useShopTime();
  const { expiresAt, revokedAt, successorKeyId } = apiKey;
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Key
          </Text>
          <KeyStateBadge state={stateOf(apiKey, at)} />
        </InlineStack>
        <DescriptionList
          gap="tight"
          items={[
            { term: "Key ID", description: <span style={{ overflowWrap: "anywhere" }}>{apiKey.keyId}</span> },
            { term: "Secret", description: `Ends with ${apiKey.secretHint}` },
            { term: "Type", description: KIND_LABELS[apiKey.kind] },
            { term: "Permissions", description: apiKey.scopes.map((scope) => SCOPE_WORDS[scope].label).join(", ") },
            { term: "Created", description: day(apiKey.createdAt) },
            { term: "Last used", description: apiKey.lastUsedAt === null ? "Never" : minute(apiKey.lastUsedAt) },
            revokedAt === null
              ? { term: "Expires", description: expiresAt === null ? "Never" : minute(expiresAt) }
              : { term: "Revoked", description: minute(revokedAt) },
            ...(successorKeyId === null
              ? []
              : [
                  {
                    term: "Replaced by",
                    description: <Link url={`/app/api-keys/${successorKeyId}`}>The new key</Link>,
                  },
                ]),
          ]}
        />
      </BlockStack>
    </Card>
  );
}
