import { BlockStack, Button, Card, DropZone, InlineError, InlineStack, List, Text } from "@shopify/polaris";
import { Fragment } from "react";
import { Disclosure } from "../disclosure.tsx";
import { saveFile } from "../download.ts";
import type { AdminForm } from "../use-form.ts";
import { formatBytes } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";

const COLUMNS = "owner,owner_id,product_id,variant_id,added_at";
const OPTIONAL_COLUMNS = "list_name,quantity,note,properties";

/** An example file with one item of a customer. */
const TEMPLATE = `${COLUMNS},${OPTIONAL_COLUMNS}\r\ncustomer,gid://shopify/Customer/7012503486663,gid://shopify/Product/8401930311165,gid://shopify/ProductVariant/44003118551387,2026-11-20T09:30:00Z,,2,For the trip in May,"{""Engraving"":""A. L.""}"\r\n`;

function saveTemplate(): void {
  saveFile(new Blob([TEMPLATE], { type: "text/csv" }), "wishlists-template.csv");
}

/** Shows names of columns, between which a line may break. */
function Names({ of }: { of: string }) {
  return of.split(",").map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ", "}
      <code>{name}</code>
    </Fragment>
  ));
}

/** Chooses the file of an import and starts its upload. */
export function ImportFilePicker(props: {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  begin: AdminForm<{ id: string }>;
}) {
  const { file, onFile, begin } = props;
  const problem = begin.text("fileName").error || begin.text("size").error;
  return (
    <Card>
      <BlockStack gap="400">
        <FormProblem of={[begin]} title="Couldn't upload the file" />
        <BlockStack gap="200">
          <DropZone
            id="import-file"
            label="File"
            labelHidden
            type="file"
            allowMultiple={false}
            variableHeight
            onDrop={(files) => {
              begin.reset();
              onFile(files[0]);
            }}
          >
            {file ? (
              <div style={{ padding: "1.5rem", overflowWrap: "anywhere" }}>
                <BlockStack gap="100" inlineAlign="center">
                  <Text as="p" fontWeight="semibold" alignment="center">
                    {file.name}
                  </Text>
                  <Text as="p" tone="subdued">
                    {formatBytes(file.size)}
                  </Text>
                </BlockStack>
              </div>
            ) : (
              <DropZone.FileUpload actionTitle="Choose file" actionHint="or drop a CSV or NDJSON file here" />
            )}
          </DropZone>
          {problem !== "" && <InlineError message={problem} fieldID="import-file" />}
        </BlockStack>
        <Disclosure label="What the file contains">
          <Text as="p" tone="subdued">
            The first line of a CSV file names its columns, and each further line has an item:
          </Text>
          <List>
            <List.Item>
              Required: <Names of={COLUMNS} />
            </List.Item>
            <List.Item>
              For named lists and details of items: <Names of={OPTIONAL_COLUMNS} />
            </List.Item>
            <List.Item>
              The owner is <code>customer</code> or <code>guest</code>. Times look like{" "}
              <code>2026-11-20T09:30:00Z</code>.
            </List.Item>
            <List.Item>Write IDs as in the template, so that spreadsheets don&apos;t shorten them.</List.Item>
          </List>
        </Disclosure>
        <InlineStack align="end" gap="200">
          <Button onClick={saveTemplate} variant="plain">
            Download template
          </Button>
          <Button onClick={begin.submit} loading={begin.busy} disabled={!file}>
            Check file
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
