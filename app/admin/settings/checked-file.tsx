import { Banner, BlockStack, Button, Card, Checkbox, InlineStack, List, Text } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import type { AdminForm } from "../form.ts";
import { counted } from "../numbers.ts";
import { Problems } from "./problems.tsx";

/** What the dry run has found, and the choice that follows from it. */
export function CheckedFile(props: {
  current: ImportData;
  problems: readonly ProblemData[];
  start: AdminForm<unknown>;
  cancel: AdminForm<unknown>;
}) {
  const { current, problems, start, cancel } = props;
  const { id, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused, itemsUnknown } = current;
  const repeated = rowsRead - rowsInvalid - items;
  const present = items - itemsNew - itemsRefused;
  const problem = start.problem ?? cancel.problem;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {fileName} was checked
        </Text>
        {problem !== undefined && (
          <Banner tone="critical">
            <p>{problem}</p>
          </Banner>
        )}
        <Text as="p">Nothing has changed yet. If you import this file:</Text>
        <List>
          <List.Item>
            {counted(itemsNew, "item")} will be added to {counted(lists, "wishlist")}
          </List.Item>
          {present > 0 && (
            <List.Item>{counted(present, "item")} won&apos;t change, because they are already saved</List.Item>
          )}
          {repeated > 0 && (
            <List.Item>{counted(repeated, "repeated line")} will be merged, keeping the earliest time</List.Item>
          )}
          {itemsRefused > 0 && (
            <List.Item>
              {counted(itemsRefused, "item")} will be skipped, because their wishlists can&apos;t take them
            </List.Item>
          )}
          {rowsInvalid > 0 && <List.Item>{counted(rowsInvalid, "line")} with problems will be skipped</List.Item>}
        </List>
        {itemsUnknown > 0 && (
          <Banner tone="warning" title={`${counted(itemsUnknown, "item")} not in your catalog`}>
            <BlockStack gap="200">
              <p>Shoppers can&apos;t see or buy these items unless you add the products to your store.</p>
              <Checkbox
                label="Skip items that are not in your catalog"
                checked={start.values["unknown"] === "leave_out"}
                onChange={(checked) => start.set("unknown", checked ? "leave_out" : "import")}
              />
            </BlockStack>
          </Banner>
        )}
        <Problems importId={id} problems={problems} />
        <InlineStack align="end" gap="200">
          <Button onClick={cancel.submit} loading={cancel.busy} disabled={start.busy}>
            Discard file
          </Button>
          <Button
            variant="primary"
            onClick={start.submit}
            loading={start.busy}
            disabled={itemsNew === 0 || cancel.busy}
          >
            {start.values["unknown"] === "leave_out" ? "Import known items" : `Import ${counted(itemsNew, "item")}`}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
