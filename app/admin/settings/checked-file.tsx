import { Banner, BlockStack, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
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
  const { id, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused } = current;
  const repeated = rowsRead - rowsInvalid - items;
  const present = items - itemsNew - itemsRefused;
  const problem = start.problem ?? cancel.problem;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {fileName} is checked
        </Text>
        {problem !== undefined && (
          <Banner tone="critical">
            <p>{problem}</p>
          </Banner>
        )}
        <Text as="p">Nothing has been changed yet. The import would do this:</Text>
        <List>
          <List.Item>
            Add {counted(itemsNew, "item")} to {counted(lists, "list")}
          </List.Item>
          {present > 0 && <List.Item>Leave {counted(present, "item")} as saved already</List.Item>}
          {repeated > 0 && (
            <List.Item>Take {counted(repeated, "repeated line")} as one, with the earliest time</List.Item>
          )}
          {itemsRefused > 0 && (
            <List.Item>Leave out {counted(itemsRefused, "item")} of lists that can&apos;t take them</List.Item>
          )}
          {rowsInvalid > 0 && <List.Item>Leave out {counted(rowsInvalid, "line")} with problems</List.Item>}
        </List>
        <Problems importId={id} problems={problems} />
        <InlineStack align="end" gap="200">
          <Button onClick={cancel.submit} loading={cancel.busy} disabled={start.busy}>
            Drop file
          </Button>
          <Button
            variant="primary"
            onClick={start.submit}
            loading={start.busy}
            disabled={itemsNew === 0 || cancel.busy}
          >
            {`Import ${counted(itemsNew, "item")}`}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
