import { BlockStack, Card, DescriptionList, InlineStack, Text } from "@shopify/polaris";
import type { ApiKey } from "../../access/views.ts";
import { useShopDates } from "../shop-dates.tsx";
import { KIND_LABELS, SCOPE_LABELS, keyState } from "./key-data.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";

/** Shows the properties of a key. */
export function KeyFacts({ apiKey, at }: { apiKey: ApiKey; at: Date }) {
  const { formatDate, formatDateTime } = useShopDates();
  const { expiresAt, revokedAt } = apiKey;
  const state = keyState(apiKey, at);
  // Those of a valid key are in the card that changes them.
  const isEditable = state === "active" || state === "rotated";
  const origins = isEditable ? [] : [{ term: "Allowed origins", description: apiKey.allowedOrigins.join(", ") }];
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Key
          </Text>
          <KeyStateBadge state={state} />
        </InlineStack>
        <DescriptionList
          gap="tight"
          items={[
            { term: "Key ID", description: <span style={{ overflowWrap: "anywhere" }}>{apiKey.keyId}</span> },
            ...(apiKey.kind === "publishable"
              ? origins
              : [{ term: "Secret", description: `Ends with ${apiKey.secretHint}` }]),
            { term: "Type", description: KIND_LABELS[apiKey.kind] },
            ...(apiKey.kind === "publishable"
              ? [{ term: "Permissions", description: "Each shopper's own lists" }]
              : isEditable
                ? []
                : [
                    {
                      term: "Permissions",
                      description: apiKey.scopes.map((scope) => SCOPE_LABELS[scope].label).join(", "),
                    },
                  ]),
            { term: "Created", description: formatDate(apiKey.createdAt) },
            {
              term: "Last used",
              description: apiKey.lastUsedAt === null ? "Never" : formatDateTime(apiKey.lastUsedAt),
            },
            revokedAt === null
              ? { term: "Expires", description: expiresAt === null ? "Never" : formatDateTime(expiresAt) }
              : { term: "Revoked", description: formatDateTime(revokedAt) },
          ]}
        />
      </BlockStack>
    </Card>
  );
}
