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
  const { status, size, received, readBytes, rowsRead, items, itemsDone, itemsAdded } = current;
  if (status === "uploading") {
    const come = sent ?? received;
    return { title: "Uploading", done: come, of: size, told: `${bytesText(come)} of ${bytesText(size)}` };
  }
  if (status === "reading") {
    return { title: "Checking", done: readBytes, of: size, told: `${counted(rowsRead, "line")} checked` };
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
  const isLeft = current.status === "uploading" && upload.sent === undefined;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd" breakWord>
          {title} {current.fileName}
        </Text>
        {isLeft && (
          <Banner
            tone="warning"
            title="The upload is not complete"
            {...(onResume ? { action: { content: "Go on", onAction: onResume } } : {})}
          >
            <p>
              {onResume
                ? "The connection broke off. What has come so far is kept."
                : "It goes on in another window, or was left. Cancel it to choose the file again."}
            </p>
          </Banner>
        )}
        {cancel.problem !== undefined && (
          <Banner tone="critical">
            <p>{cancel.problem}</p>
          </Banner>
        )}
        <ProgressBar progress={of === 0 ? 0 : (100 * done) / of} size="small" ariaLabelledBy="import-told" />
        <div id="import-told">
          <Text as="p" tone="subdued">
            {told}
          </Text>
        </div>
        {current.status !== "uploading" && (
          <Text as="p" tone="subdued">
            You can leave this page; it goes on.
          </Text>
        )}
        <InlineStack align="end">
          <Button onClick={() => void shopify.modal.show(CANCEL)} loading={cancel.busy}>
            Cancel import
          </Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal id={CANCEL} title="Cancel this import?" action="Cancel import" onConfirm={cancel.submit}>
        {current.status === "running"
          ? "What is in the lists already stays there. The rest of the file is dropped; you can import it again later, and nothing will be there twice."
          : "Nothing has been imported yet. The file is dropped."}
      </ConfirmModal>
    </Card>
  );
}
