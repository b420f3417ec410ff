import { BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { DeletedList } from "../../wishlists/staff/view.ts";
import { formatCount } from "../format.ts";
import { useShopDates } from "../shop-dates.tsx";

/** Lists the lists that a customer or guest has deleted lately. */
export function DeletedListsCard({
  lists,
  onRestore,
}: {
  lists: readonly DeletedList[];
  onRestore: (wishlistId: string) => void;
}) {
  const { formatDateTime } = useShopDates();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Deleted lists
        </Text>
        {lists.map(({ wishlistId, name, deletedAt, itemCount }) => (
          <InlineStack key={wishlistId} align="space-between" blockAlign="center" gap="200" wrap={false}>
            <BlockStack gap="050">
              <Link url={`/app/wishlists/${wishlistId}`} monochrome>
                <Text as="span" breakWord>
                  {name}
                </Text>
              </Link>
              <Text as="span" tone="subdued" variant="bodySm">
                {formatCount(itemCount, "item")}, deleted {formatDateTime(deletedAt)}
              </Text>
            </BlockStack>
            <div style={{ flex: "none" }}>
              <Button accessibilityLabel={`Restore ${name}`} onClick={() => onRestore(wishlistId)}>
                Restore
              </Button>
            </div>
          </InlineStack>
        ))}
      </BlockStack>
    </Card>
  );
}
