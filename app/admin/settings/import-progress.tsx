import { Banner, BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import type { ImportData } from "../../wishlists/transfer/import-data.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { AdminForm } from "../use-form.ts";
import { formatBytes, formatCount, formatNumber } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import type { Upload } from "./use-upload.ts";

const CANCEL_MODAL = "cancel-import";

interface Stage {
  title: string;
  done: number;
  total: number;
  summary: string;
}

function stageOf(current: ImportData, { sent }: Upload): Stage {
  const { status, size, received, readBytes, rowsRead, items, itemsDone, itemsAdded, itemsUndone } = current;
  if (status === "uploading") {
    const uploaded = sent ?? received;
    return {
      title: "Uploading",
      done: uploaded,
      total: size,
      summary: `${formatBytes(uploaded)} of ${formatBytes(size)}`,
    };
  }
  if (status === "reading") {
    return { title: "Checking", done: readBytes, total: size, summary: `${formatCount(rowsRead, "line")} checked` };
  }
  if (status === "undoing") {
    return {
      title: "Undoing import of",
      done: itemsUndone,
      total: itemsAdded,
      summary: `${formatNumber(itemsUndone)} of ${formatCount(itemsAdded, "item")} removed`,
    };
  }
  return {
    title: "Importing",
    done: itemsDone,
    total: items,
    summary: `${formatNumber(itemsDone)} of ${formatCount(items, "item")} done, ${formatNumber(itemsAdded)} added`,
  };
}

/** Shows the progress of an import, and cancels it. */
export function ImportProgress(props: {
  current: ImportData;
  upload: Upload;
  cancel: AdminForm<unknown>;
  /** undefined when this page does not have the file */
  onResume: (() => void) | undefined;
}) {
  const { current, upload, cancel, onResume } = props;
  const { title, done, total, summary } = stageOf(current, upload);
  const isUploading = current.status === "uploading";
  // This page's own upload is not interrupted before its first part and after its last one, although nothing is being sent.
  const isInterrupted = isUploading && (upload.interrupted || onResume === undefined);
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {title} {current.fileName}
        </Text>
        {isInterrupted && (
          <Banner
            tone="warning"
            title="Upload interrupted"
            {...(onResume ? { action: { content: "Resume", onAction: onResume } } : {})}
          >
            <p>
              {onResume
                ? "The connection was lost. Select Resume to continue where the upload stopped."
                : "The upload was started in another window. If that window is closed, cancel the import and choose the file again."}
            </p>
          </Banner>
        )}
        <FormProblem of={[cancel]} />
        <ProgressBar
          progress={total === 0 ? 0 : Math.floor((100 * done) / total)}
          size="small"
          ariaLabelledBy="import-summary"
        />
        <div id="import-summary">
          <Text as="p" tone="subdued">
            {summary}
          </Text>
        </div>
        {current.status !== "uploading" && (
          <Text as="p" tone="subdued">
            You can leave this page. The import continues in the background.
          </Text>
        )}
        {current.status !== "undoing" && (
          <InlineStack align="end">
            <Button onClick={() => void shopify.modal.show(CANCEL_MODAL)} loading={cancel.busy}>
              Cancel import
            </Button>
          </InlineStack>
        )}
      </BlockStack>
      <ConfirmModal id={CANCEL_MODAL} title="Cancel this import?" action="Cancel import" onConfirm={cancel.submit}>
        {current.status === "running"
          ? "Items that were already imported stay in their wishlists, and the rest of the file is discarded. You can undo the import, or import the file again later without creating duplicates."
          : "Nothing has been imported yet. The file will be discarded."}
      </ConfirmModal>
    </Card>
  );
}
