import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { AdminForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import { ImportProblems } from "./import-problems.tsx";

const UNDO_MODAL = "undo-import";

/** Says what became of an import that has ended. */
export function describeResult({
  status,
  items,
  itemsAdded,
  itemsUndone,
  itemsDone,
  listsRefused,
  listsCreated,
  failedReason,
}: ImportData): string {
  if (status === "failed") return failedReason ?? "";
  const deleted = listsCreated === 0 ? "" : " Lists that the import created were deleted if they were empty.";
  if (status === "undone" && itemsUndone === itemsAdded)
    return `${formatCount(itemsUndone, "item")} removed.${deleted}`;
  if (status === "undone") {
    return `${formatNumber(itemsUndone)} of ${formatCount(itemsAdded, "item")} removed. The other items changed after the import, so they weren't removed.${deleted}`;
  }
  const created = listsCreated === 0 ? "" : ` ${formatCount(listsCreated, "named list")} created.`;
  const refused =
    listsRefused === 0
      ? ""
      : ` ${formatCount(listsRefused, "list")} couldn't take all items because ${listsRefused === 1 ? "it is" : "they are"} full or couldn't be created.`;
  if (status === "done" && itemsAdded === items) return `${formatCount(itemsAdded, "item")} added.${created}${refused}`;
  if (status === "done") {
    return `${formatCount(itemsAdded, "item")} of ${formatNumber(items)} added. The others were already saved or skipped.${created}${refused}`;
  }
  if (itemsDone + listsCreated === 0) return "Nothing was imported.";
  return `${formatCount(itemsAdded, "item")} added before the import was canceled.${created} Import the file again to add the rest.`;
}

/** Says what the undo of an import does. */
export function describeUndo({ itemsAdded, listsCreated }: ImportData): string {
  const lists = listsCreated === 0 ? "" : " Lists that it created are deleted if they are empty.";
  return `Up to ${formatCount(itemsAdded, "item")} that this import added will be removed. Items that shoppers have put in a cart, removed, or saved again since then stay as they are.${lists}`;
}

const TITLES = {
  done: "Import finished",
  cancelled: "Import canceled",
  undone: "Import undone",
  failed: "The file couldn't be read",
} as const;
const TONES = { done: "success", cancelled: "info", undone: "info", failed: "critical" } as const;

/** Shows the result of the last import, and undoes it. */
export function ImportResult(props: {
  current: ImportData;
  problems: readonly ProblemData[];
  undo: AdminForm<unknown>;
  onChooseAnother: () => void;
}) {
  const { current, problems, undo, onChooseAnother } = props;
  const { formatDateTime } = useShopDates();
  const { id, fileName, finishedAt, undoUntil } = current;
  const { status: importStatus } = current;
  const status =
    importStatus === "done" || importStatus === "failed" || importStatus === "undone" ? importStatus : "cancelled";
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone={TONES[status]} title={TITLES[status]}>
          <p>{describeResult(current)}</p>
        </Banner>
        <Text as="p" tone="subdued" breakWord>
          {fileName}
          {finishedAt === null ? "" : `, ${formatDateTime(finishedAt)}`}
        </Text>
        <FormProblem of={[undo]} />
        <ImportProblems importId={id} problems={problems} />
        {undoUntil !== null && (
          <Text as="p" tone="subdued">
            You can undo this import until {formatDateTime(undoUntil)}.
          </Text>
        )}
        <InlineStack align="end" gap="200">
          {undoUntil !== null && (
            <Button onClick={() => void shopify.modal.show(UNDO_MODAL)} loading={undo.busy} tone="critical">
              Undo import
            </Button>
          )}
          <Button onClick={onChooseAnother}>Import another file</Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal id={UNDO_MODAL} title="Undo this import?" action="Undo import" onConfirm={undo.submit}>
        {describeUndo(current)}
      </ConfirmModal>
    </Card>
  );
}
