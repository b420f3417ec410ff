import { Button } from "@shopify/polaris";
import { useState } from "react";

function nameOf(answer: Response): string {
  return /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "wishlist.csv";
}

/** In the admin's frame a link would ask without a session token; what is fetched has one. */
async function download(path: string): Promise<void> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = nameOf(answer);
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A table as a file. @param what is in it, for those who do not see where the button stands */
export function DownloadButton({ query, what }: { query: Readonly<Record<string, string>>; what: string }) {
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      await download(`/app/analytics/csv?${new URLSearchParams(query).toString()}`);
      shopify.toast.show("CSV exported");
    } catch {
      shopify.toast.show("The export did not work. Try it again in a moment.", { isError: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button onClick={() => void start()} loading={busy} accessibilityLabel={`Export CSV: ${what}`}>
      Export CSV
    </Button>
  );
}
