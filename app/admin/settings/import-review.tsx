import { Banner, BlockStack, Button, Card, Checkbox, InlineStack, List, Text } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import type { AdminForm } from "../use-form.ts";
import { formatCount } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import { ImportProblems } from "./import-problems.tsx";

/** Shows the result of the dry run, and starts or cancels the import. */
export function ImportReview(props: {
  current: ImportData;
  problems: readonly ProblemData[];
  start: AdminForm<unknown>;
  cancel: AdminForm<unknown>;
}) {
  const { current, problems, start, cancel } = props;
  const { id, fileName, rowsRead, rowsInvalid, items, lists, listsNew, itemsNew, itemsRefused, itemsUnknown } = current;
  const counted = itemsNew === 0 && listsNew > 0 ? formatCount(listsNew, "list") : formatCount(itemsNew, "item");
  const duplicates = rowsRead - rowsInvalid - items;
  const existing = items - itemsNew - itemsRefused;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {fileName} was checked
        </Text>
        <FormProblem of={[start, cancel]} />
        <Text as="p">Nothing has changed yet. If you import this file:</Text>
        <List>
          <List.Item>
            {formatCount(itemsNew, "item")} will be added{itemsNew > 0 && ` to ${formatCount(lists, "list")}`}
          </List.Item>
          {listsNew > 0 && <List.Item>{formatCount(listsNew, "named list")} will be created</List.Item>}
          {existing > 0 && (
            <List.Item>
              {formatCount(existing, "item")} won&apos;t change because {existing === 1 ? "it is" : "they are"} already
              saved
            </List.Item>
          )}
          {duplicates > 0 && (
            <List.Item>{formatCount(duplicates, "duplicate line")} will be merged, keeping the earliest time</List.Item>
          )}
          {itemsRefused > 0 && (
            <List.Item>
              {formatCount(itemsRefused, "item")} will be skipped because their lists are full or can&apos;t be created
            </List.Item>
          )}
          {rowsInvalid > 0 && <List.Item>{formatCount(rowsInvalid, "line")} with problems will be skipped</List.Item>}
        </List>
        {itemsUnknown > 0 && (
          <Banner tone="warning" title={`${formatCount(itemsUnknown, "item")} not in your catalog`}>
            <BlockStack gap="200">
              <p>Shoppers can&apos;t see or buy these items until you add the products to your store.</p>
              <Checkbox
                label="Skip items that are not in your catalog"
                checked={start.values["unknown"] === "leave_out"}
                onChange={(checked) => start.set("unknown", checked ? "leave_out" : "import")}
              />
            </BlockStack>
          </Banner>
        )}
        <ImportProblems importId={id} problems={problems} />
        <InlineStack align="end" gap="200">
          <Button onClick={cancel.submit} loading={cancel.busy} disabled={start.busy}>
            Discard file
          </Button>
          <Button
            variant="primary"
            onClick={start.submit}
            loading={start.busy}
            disabled={itemsNew + listsNew === 0 || cancel.busy}
          >
            {start.values["unknown"] === "leave_out" ? "Import known items" : `Import ${counted}`}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
