import { Banner, BlockStack, Button, Card, Checkbox, InlineStack, Select } from "@shopify/polaris";
import { useCallback } from "react";
import { useForm } from "../form.ts";
import { follow } from "../download.ts";

const FORMATS = [
  { label: "CSV, for spreadsheets", value: "csv" },
  { label: "NDJSON, for programs", value: "ndjson" },
];

/**
 * Asks for a link that is good for one export, and follows it: the browser saves what comes as it comes, where a script would have to hold
 * all of it in memory first.
 */
export function ExportCard() {
  const onDone = useCallback(({ ticket }: { ticket: string }) => {
    follow(`/app/settings/data/export?ticket=${ticket}`);
    shopify.toast.show("Export started");
  }, []);
  const form = useForm<{ ticket: string }>("export", { format: "csv", guests: "off" }, { onDone });
  return (
    <Card>
      <BlockStack gap="400">
        {form.problem !== undefined && (
          <Banner tone="critical" title="Couldn't export wishlists">
            <p>{form.problem}</p>
          </Banner>
        )}
        <Select {...form.text("format")} label="Format" options={FORMATS} />
        <Checkbox
          label="Include guest wishlists"
          helpText="Guests appear as anonymous codes."
          checked={form.values["guests"] === "on"}
          onChange={(checked) => form.set("guests", checked ? "on" : "off")}
        />
        <InlineStack align="end">
          <Button onClick={form.submit} loading={form.busy}>
            Export wishlists
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
