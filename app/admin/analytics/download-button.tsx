import { Button } from "@shopify/polaris";
import { useState } from "react";
import { downloadFile } from "../download.ts";

/** Downloads a table as CSV. @param content what the file contains, for screen readers */
export function DownloadButton({ query, content }: { query: Readonly<Record<string, string>>; content: string }) {
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    const done = await downloadFile(`/app/analytics/csv?${new URLSearchParams(query).toString()}`);
    setBusy(false);
    if (done) shopify.toast.show("CSV exported");
    else shopify.toast.show("Couldn't export the CSV. Try again in a moment.", { isError: true });
  };
  return (
    <Button onClick={() => void start()} loading={busy} accessibilityLabel={`Export CSV: ${content}`}>
      Export CSV
    </Button>
  );
}
