import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { AdminForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { counted, readable } from "../numbers.ts";
import { Problems } from "./problems.tsx";

const UNDO = "undo-import";

function told({ status, items, itemsAdded, itemsUndone, itemsDone, listsRefused, failedReason }: ImportData): string {
  if (status === "failed") return failedReason ?? "";
  if (status === "undone" && itemsUndone === itemsAdded) return `${counted(itemsUndone, "item")} removed.`;
  if (status === "undone") {
    return `${readable(itemsUndone)} of ${counted(itemsAdded, "item")} removed. The others have changed since the import and stay.`;
  }
  const refused = listsRefused === 0 ? "" : ` ${counted(listsRefused, "wishlist")} could not take all items.`;
  if (status === "done" && itemsAdded === items) return `${counted(itemsAdded, "item")} added.`;
  if (status === "done") {
    return `${counted(itemsAdded, "item")} of ${readable(items)} added. The others were already saved or skipped.${refused}`;
  }
  if (itemsDone === 0) return "Nothing was imported.";
  return `${counted(itemsAdded, "item")} added before the import was canceled. Import the file again to add the rest.`;
}

const TITLES = {
  done: "Import finished",
  cancelled: "Import canceled",
  undone: "Import undone",
  failed: "The file could not be read",
} as const;
const TONES = { done: "success", cancelled: "info", undone: "info", failed: "critical" } as const;

/** What became of the last import. */
export function ImportResult(props: {
  current: ImportData;
  problems: readonly ProblemData[];
  undo: AdminForm<unknown>;
  onAnother: () => void;
}) {
  const { current, problems, undo, onAnother } = props;
  const { minute } = useShopTime();
  const { id, fileName, finishedAt, itemsAdded, undoUntil } = current;
  const { status: given } = current;
  const status = given === "done" || given === "failed" || given === "undone" ? given : "cancelled";
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
        {undo.problem !== undefined && (
          <Banner tone="critical">
            <p>{undo.problem}</p>
          </Banner>
        )}
        <Problems importId={id} problems={problems} />
        {undoUntil !== null && (
          <Text as="p" tone="subdued">
            You can undo this import until {minute(undoUntil)}.
          </Text>
        )}
        <InlineStack align="end" gap="200">
          {undoUntil !== null && (
            <Button onClick={() => void shopify.modal.show(UNDO)} loading={undo.busy} tone="critical">
              Undo import
            </Button>
          )}
          <Button onClick={onAnother}>Import another file</Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal id={UNDO} title="Undo this import?" action="Undo import" onConfirm={undo.submit}>
        {`Up to ${counted(itemsAdded, "item")} that this import added will be removed. Items that shoppers have put in a cart, removed, or saved again since then stay as they are.`}
      </ConfirmModal>
    </Card>
  );
}
