import { BlockStack, Button } from "@shopify/polaris";
import { useState } from "react";
import { downloadFile } from "../download.ts";
import { FailureText } from "../failure-text.tsx";

/** Downloads a table as CSV. @param props.content what the file contains, for screen readers */
export function DownloadButton(props: {
  /** of the download; the tables of Analytics by default */
  path?: string;
  query: Readonly<Record<string, string>>;
  content: string;
}) {
  const { path = "/app/analytics/csv", query, content } = props;
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    const done = await downloadFile(`${path}?${new URLSearchParams(query).toString()}`);
    setBusy(false);
    setFailed(!done);
    if (done) shopify.toast.show("CSV exported");
  };
  return (
    <BlockStack gap="100" inlineAlign="end">
      <Button onClick={() => void start()} loading={busy} accessibilityLabel={`Export CSV: ${content}`}>
        Export CSV
      </Button>
      <FailureText text={failed ? "Couldn't export the CSV. Try again in a moment." : undefined} />
    </BlockStack>
  );
}
