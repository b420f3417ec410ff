import { Banner, BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import type { ImportData } from "../../wishlists/transfer/import-data.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { AdminForm } from "../form.ts";
import { bytesText, counted, readable } from "../numbers.ts";
import type { Upload } from "./upload.ts";

const CANCEL = "cancel-import";

interface Stage {
  title: string;
  done: number;
  of: number;
  told: string;
}

function stageOf(current: ImportData, { sent }: Upload): Stage {
  const { status, size, received, readBytes, rowsRead, items, itemsDone, itemsAdded, itemsUndone } = current;
  if (status === "uploading") {
    const come = sent ?? received;
    return { title: "Uploading", done: come, of: size, told: `${bytesText(come)} of ${bytesText(size)}` };
  }
  if (status === "reading") {
    return { title: "Checking", done: readBytes, of: size, told: `${counted(rowsRead, "line")} checked` };
  }
  if (status === "undoing") {
    return {
      title: "Undoing import of",
      done: itemsUndone,
      of: itemsAdded,
      told: `${readable(itemsUndone)} of ${counted(itemsAdded, "item")} removed`,
    };
  }
  return {
    title: "Importing",
    done: itemsDone,
    of: items,
    told: `${readable(itemsDone)} of ${counted(items, "item")} done, ${readable(itemsAdded)} added`,
  };
}

/** What is under way, and how to end it. */
export function ImportProgress(props: {
  current: ImportData;
  upload: Upload;
  cancel: AdminForm<unknown>;
  /** undefined when this page has no file to go on with */
  onResume: (() => void) | undefined;
}) {
  const { current, upload, cancel, onResume } = props;
  const { title, done, of, told } = stageOf(current, upload);
  const isUploading = current.status === "uploading";
  // Before its first part and after its last, this page's own upload sends nothing and is not interrupted either.
  const isLeft = isUploading && (upload.broken || onResume === undefined);
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {title} {current.fileName}
        </Text>
        {isLeft && (
          <Banner
            tone="warning"
            title="Upload interrupted"
            {...(onResume ? { action: { content: "Resume", onAction: onResume } } : {})}
          >
            <p>
              {onResume
                ? "The connection was lost. The part of the file that arrived is kept."
                : "The upload was started in another window. If that window is closed, cancel the import and choose the file again."}
            </p>
          </Banner>
        )}
        {cancel.problem !== undefined && (
          <Banner tone="critical">
            <p>{cancel.problem}</p>
          </Banner>
        )}
        <ProgressBar
          progress={of === 0 ? 0 : Math.floor((100 * done) / of)}
          size="small"
          ariaLabelledBy="import-told"
        />
        <div id="import-told">
          <Text as="p" tone="subdued">
            {told}
          </Text>
        </div>
        {current.status !== "uploading" && (
          <Text as="p" tone="subdued">
            You can leave this page. The work continues in the background.
          </Text>
        )}
        {current.status !== "undoing" && (
          <InlineStack align="end">
            <Button onClick={() => void shopify.modal.show(CANCEL)} loading={cancel.busy}>
              Cancel import
            </Button>
          </InlineStack>
        )}
      </BlockStack>
      <ConfirmModal id={CANCEL} title="Cancel this import?" action="Cancel import" onConfirm={cancel.submit}>
        {current.status === "running"
          ? "Items that were already imported stay in their wishlists, and the rest of the file is discarded. You can undo the import, or import the file again later without creating duplicates."
          : "Nothing has been imported yet. The file will be discarded."}
      </ConfirmModal>
    </Card>
  );
}
