import { BlockStack, Button, Card, Checkbox, InlineStack, Select } from "@shopify/polaris";
import { useCallback } from "react";
import { useForm } from "../use-form.ts";
import { openDownload } from "../download.ts";
import { FormProblem } from "../form-problem.tsx";

const FORMATS = [
  { label: "CSV, for spreadsheets", value: "csv" },
  { label: "NDJSON, for programs", value: "ndjson" },
];

/**
 * Requests a one-time download link and opens it. The browser streams the file to disk, where a script would hold all of it in memory.
 */
export function ExportCard() {
  const onDone = useCallback(({ token }: { token: string }) => {
    openDownload(`/app/settings/data/export?token=${token}`);
    shopify.toast.show("Export started");
  }, []);
  const form = useForm<{ token: string }>("export", { format: "csv", guests: "off" }, { onDone });
  return (
    <Card>
      <BlockStack gap="400">
        <FormProblem of={[form]} title="Couldn't export wishlists" />
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
