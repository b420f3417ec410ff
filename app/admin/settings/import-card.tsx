import { useCallback, useState } from "react";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { ImportFilePicker } from "./import-file-picker.tsx";
import { ImportReview } from "./import-review.tsx";
import { useUpload } from "./use-upload.ts";

const POLL_INTERVAL_MS = 1_000;

/** Shows the current step of an import: choosing a file, upload, dry run, review, progress, or result. */
export function ImportCard({
  current,
  problems,
}: {
  current: ImportData | undefined;
  problems: readonly ProblemData[];
}) {
  const upload = useUpload();
  const [file, setFile] = useState<File>();
  /** id of the import whose result the merchant dismissed */
  const [dismissed, setDismissed] = useState<string>();
  const working = current?.status === "reading" || current?.status === "running" || current?.status === "undoing";
  usePolling(working, POLL_INTERVAL_MS);

  const { send } = upload;
  const onUploadStart = useCallback(
    ({ id }: { id: string }) => {
      if (file) void send(file, id, 0);
    },
    [file, send],
  );
  const begin = useForm<{ id: string }>(
    "begin",
    {},
    { hidden: { fileName: file?.name ?? "", size: String(file?.size ?? 0) }, onDone: onUploadStart },
  );
  // The current import may belong to another window.
  const isOwn = file?.name.trim() === current?.fileName && file?.size === current?.size;
  const id = current?.id ?? "";
  const onStarted = useCallback(() => shopify.toast.show("Import started"), []);
  const start = useForm<{ id: string }>("start", { unknown: "import" }, { hidden: { id }, onDone: onStarted });
  const onCanceled = useCallback(() => shopify.toast.show("Import canceled"), []);
  const cancel = useForm<{ id: string }>("cancel", {}, { hidden: { id }, onDone: onCanceled });
  const onUndoStarted = useCallback(() => shopify.toast.show("Undo started"), []);
  const undo = useForm<{ id: string }>("undo", {}, { hidden: { id }, onDone: onUndoStarted });

  switch (current?.status) {
    case "uploading":
    case "reading":
    case "running":
    case "undoing":
      return (
        <ImportProgress
          current={current}
          upload={upload}
          cancel={cancel}
          onResume={isOwn && file ? () => void send(file, current.id, current.received) : undefined}
        />
      );
    case "ready":
      return <ImportReview current={current} problems={problems} start={start} cancel={cancel} />;
    case "done":
    case "cancelled":
    case "failed":
    case "undone":
      if (dismissed !== current.id) {
        return (
          <ImportResult
            current={current}
            problems={problems}
            undo={undo}
            onChooseAnother={() => setDismissed(current.id)}
          />
        );
      }
      break;
    case undefined:
  }
  return <ImportFilePicker file={file} onFile={setFile} begin={begin} />;
}
