import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { useForm } from "../form.ts";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { CheckedFile } from "./checked-file.tsx";
import { useUpload } from "./upload.ts";

/** Milliseconds between looks at work that is under way. */
const LOOK = 1_000;

/** Looks again and again while somebody else is at work. */
function useLooking(active: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!active || state !== "idle") return undefined;
    const timer = setTimeout(revalidate, LOOK);
    return () => clearTimeout(timer);
  }, [active, state, revalidate]);
}

/** An import, from the choice of its file to what became of it. */
export function ImportCard({
  current,
  problems,
}: {
  current: ImportData | undefined;
  problems: readonly ProblemData[];
}) {
  const upload = useUpload();
  const [file, setFile] = useState<File>();
  /** a result that the merchant has seen, to choose another file */
  const [seen, setSeen] = useState<string>();
  useLooking(current?.status === "reading" || current?.status === "running" || current?.status === "undoing");

  const { send } = upload;
  const onBegun = useCallback(
    ({ id }: { id: string }) => {
      if (file) void send(file, id, 0);
    },
    [file, send],
  );
  const begin = useForm<{ id: string }>(
    "begin",
    {},
    { hidden: { fileName: file?.name ?? "", size: String(file?.size ?? 0) }, onDone: onBegun },
  );
  // Another window may be uploading another file.
  const isOwn = file?.name.trim() === current?.fileName && file?.size === current?.size;
  const id = current?.id ?? "";
  const started = useCallback(() => shopify.toast.show("Import started"), []);
  const start = useForm<{ id: string }>("start", { unknown: "import" }, { hidden: { id }, onDone: started });
  const cancelled = useCallback(() => shopify.toast.show("Import cancelled"), []);
  const cancel = useForm<{ id: string }>("cancel", {}, { hidden: { id }, onDone: cancelled });
  const undoing = useCallback(() => shopify.toast.show("Undo started"), []);
  const undo = useForm<{ id: string }>("undo", {}, { hidden: { id }, onDone: undoing });

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
      return <CheckedFile current={current} problems={problems} start={start} cancel={cancel} />;
    case "done":
    case "cancelled":
    case "failed":
    case "undone":
      if (seen !== current.id) {
        return <ImportResult current={current} problems={problems} undo={undo} onAnother={() => setSeen(current.id)} />;
      }
      break;
    case undefined:
  }
  return <ChooseFile file={file} onFile={setFile} begin={begin} />;
}
