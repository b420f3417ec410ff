import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { useShopTime } from "../shop-time.tsx";
import { counted, readable } from "../numbers.ts";
import { Problems } from "./problems.tsx";

function told({ status, items, itemsAdded, itemsDone, listsRefused, failedReason }: ImportData): string {
  if (status === "failed") return failedReason ?? "";
  const refused = listsRefused === 0 ? "" : ` ${counted(listsRefused, "list")} could not take theirs.`;
  if (status === "done" && itemsAdded === items) return `${counted(itemsAdded, "item")} added.`;
  if (status === "done") {
    return `${counted(itemsAdded, "item")} of ${readable(items)} added; the others were saved already, or left out.${refused}`;
  }
  if (itemsDone === 0) return "Nothing was imported.";
  return `${counted(itemsAdded, "item")} added before it was cancelled; they stay. Import the file again for the rest.`;
}

const TITLES = {
  done: "Import finished",
  cancelled: "Import cancelled",
  failed: "The file could not be read",
} as const;
const TONES = { done: "success", cancelled: "info", failed: "critical" } as const;

/** What became of the last import. */
export function ImportResult(props: { current: ImportData; problems: readonly ProblemData[]; onAnother: () => void }) {
  const { current, problems, onAnother } = props;
  const { minute } = useShopTime();
  const { id, fileName, finishedAt } = current;
  const status = current.status === "done" || current.status === "failed" ? current.status : "cancelled";
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone={TONES[status]} title={TITLES[status]}>
          <p>{told(current)}</p>
        </Banner>
        <Text as="p" tone="subdued" breakWord>
          {fileName}
          {finishedAt === null ? "" : `, ${minute(finishedAt)}`}
        </Text>
        <Problems importId={id} problems={problems} />
        <InlineStack align="end">
          <Button onClick={onAnother}>Import another file</Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
