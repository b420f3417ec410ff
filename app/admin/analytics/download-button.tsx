import { Button } from "@shopify/polaris";
import { useState } from "react";
import { download } from "../download.ts";

/** A table as a file. @param what is in it, for those who do not see where the button stands */
export function DownloadButton({ query, what }: { query: Readonly<Record<string, string>>; what: string }) {
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    const done = await download(`/app/analytics/csv?${new URLSearchParams(query).toString()}`);
    setBusy(false);
    if (done) shopify.toast.show("CSV exported");
    else shopify.toast.show("The export failed. Try again in a moment.", { isError: true });
  };
  return (
    <Button onClick={() => void start()} loading={busy} accessibilityLabel={`Export CSV: ${what}`}>
      Export CSV
    </Button>
  );
}
