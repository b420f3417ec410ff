import { Banner, BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { ShownDetails } from "../../wishlists/items/details.ts";
import type { RestoredItem, RestorePreview } from "../../wishlists/staff/view.ts";
import { AdminPage } from "../admin-page.tsx";
import { formatCount } from "../format.ts";
import { useShopDates } from "../shop-dates.tsx";
import { useForm } from "../use-form.ts";
import type { OpenPage } from "../use-result-page.ts";
import { FormProblem } from "../form-problem.tsx";
import { describeDetails, itemKey, ProductSummary } from "./item-cells.tsx";
import { listLabel, wishlistTitle } from "./owner-labels.ts";

/** Returns the details that a restore changes, now and afterwards. */
function describeChange(before: ShownDetails, after: ShownDetails): string[] {
  const [from, to] = [describeDetails(before), describeDetails(after)];
  const gone = from.filter((line) => !to.includes(line));
  const restored = to.filter((line) => !from.includes(line));
  if (gone.length === 0 && restored.length === 0) return ["Its place or time in the list changes."];
  const shown = (lines: readonly string[]): string => (lines.length === 0 ? "none of these details" : lines.join(", "));
  return [`Now: ${shown(gone)}`, `Restored: ${shown(restored)}`];
}

function ChangedItem({ changed: { item, now }, showsChange }: { changed: RestoredItem; showsChange: boolean }) {
  if (!showsChange || now === undefined) return <ProductSummary item={item} />;
  return <ProductSummary item={item} lines={describeChange(now, item.details)} />;
}

function Changes(props: { title: string; changes: RestorePreview["added"]; showsChange?: boolean }) {
  const { title, changes, showsChange = false } = props;
  const { items, count } = changes;
  if (count === 0) return null;
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
      </Box>
      <div className="list-table">
        <ul aria-label={title}>
          {items.map((changed) => (
            <li key={itemKey(changed.item)}>
              <Box paddingInline="400" paddingBlock="300" width="100%">
                <ChangedItem changed={changed} showsChange={showsChange} />
              </Box>
            </li>
          ))}
        </ul>
      </div>
      {count > items.length && (
        <Box padding="400">
          <Text as="p" tone="subdued">{`And ${formatCount(count - items.length, "more item", "more items")}`}</Text>
        </Box>
      )}
    </Card>
  );
}

function summaryOf({ added, removed, updated }: RestorePreview): string {
  const parts = [
    ...(added.count > 0 ? [`${formatCount(added.count, "item")} will come back`] : []),
    ...(removed.count > 0 ? [`${formatCount(removed.count, "item")} will be removed`] : []),
    ...(updated.count > 0 ? [`${formatCount(updated.count, "item")} will change`] : []),
  ];
  return parts.length === 0 ? "The list will exist again, without items." : `${parts.join(", ")}.`;
}

/** Shows what restoring a version of a list changes, and restores it. */
export function RestorePage({ preview, names }: { preview: RestorePreview; names: CustomerNames }) {
  const { wishlistId, owner, at, added, removed, updated, refused, deletedAt } = preview;
  const { formatDateTime } = useShopDates();
  const history = `/app/wishlists/${wishlistId}/history`;
  const onDone = useCallback(
    (_: unknown, open: OpenPage) => {
      shopify.toast.show("Version restored");
      open(history);
    },
    [history],
  );
  const form = useForm("restore", {}, { hidden: { current: String(preview.current) }, onDone });
  const made = at === undefined ? "when it was created" : `after the change of ${formatDateTime(at)}`;
  return (
    <AdminPage title="Restore a version" back={{ label: "History", url: history }} narrowWidth>
      <BlockStack gap="400">
        <FormProblem of={[form]} title="Nothing was restored" />
        <Card>
          <BlockStack gap="300">
            <Text as="h2" variant="headingMd" breakWord>
              {wishlistTitle(owner, wishlistId, names)}, {listLabel(preview)}
            </Text>
            {refused === undefined ? (
              <>
                <Text as="p">{`The list gets the items that it had ${made}. ${summaryOf(preview)}`}</Text>
                <Text as="p" tone="subdued">
                  {deletedAt === undefined
                    ? "The list keeps its name and its share link. Webhooks are sent. You can undo this in the history."
                    : "The deleted list exists again. It gets no share link. Webhooks are sent."}
                </Text>
                <InlineStack align="end">
                  <Button variant="primary" loading={form.busy} onClick={form.submit}>
                    Restore this version
                  </Button>
                </InlineStack>
              </>
            ) : (
              <Banner tone="info">
                <p>{refused}</p>
              </Banner>
            )}
          </BlockStack>
        </Card>
        <Changes title={`${formatCount(added.count, "item")} to come back`} changes={added} />
        <Changes title={`${formatCount(removed.count, "item")} to be removed`} changes={removed} />
        <Changes title={`${formatCount(updated.count, "item")} to change`} changes={updated} showsChange />
      </BlockStack>
    </AdminPage>
  );
}
