import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback, useState } from "react";
import type { ImportData } from "../../wishlists/transfer/import-data.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { FormProblem } from "../form-problem.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { describeResult, describeUndo } from "./import-result.tsx";

const UNDO_MODAL = "undo-earlier-import";
const POLL_INTERVAL_MS = 1_000;

interface RowProps {
  one: ImportData;
  onUndo: () => void;
}

function Result({ one }: Pick<RowProps, "one">) {
  const text = one.status === "undoing" ? "Is being undone" : describeResult(one);
  return <>{one.status === "undone" ? `Undone: ${text}` : text}</>;
}

function UndoButton({ one: { undoUntil, fileName }, onUndo }: RowProps) {
  if (undoUntil === null) return null;
  return (
    <Button variant="plain" tone="critical" onClick={onUndo} accessibilityLabel={`Undo the import of ${fileName}`}>
      Undo
    </Button>
  );
}

function Cells({ one, onUndo }: RowProps) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "14rem", whiteSpace: "normal", overflowWrap: "anywhere" }}>{one.fileName}</div>
      </td>
      <td>{formatDateTime(one.finishedAt ?? one.createdAt)}</td>
      <td>
        <div style={{ maxWidth: "22rem", whiteSpace: "normal" }}>
          <Result one={one} />
        </div>
      </td>
      <td>
        <UndoButton one={one} onUndo={onUndo} />
      </td>
    </>
  );
}

function NarrowRow({ one, onUndo }: RowProps) {
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Text as="span" fontWeight="semibold" breakWord>
            {one.fileName}
          </Text>
          <UndoButton one={one} onUndo={onUndo} />
        </InlineStack>
        <span>
          <Result one={one} />
        </span>
        <Text as="span" tone="subdued" variant="bodySm">
          {formatDateTime(one.finishedAt ?? one.createdAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Lists the imports before the last one, each with its result, and undoes them. */
export function EarlierImportsCard({ imports }: { imports: readonly ImportData[] }) {
  const [chosen, setChosen] = useState<ImportData>();
  const onDone = useCallback(() => shopify.toast.show("Undo started"), []);
  const undo = useForm("undo", { id: "" }, { onDone });
  usePolling(
    imports.some(({ status }) => status === "undoing"),
    POLL_INTERVAL_MS,
  );
  const ask = (one: ImportData): void => {
    setChosen(one);
    undo.set("id", one.id);
    void shopify.modal.show(UNDO_MODAL);
  };
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="200">
          <Text as="h3" variant="headingMd">
            Earlier imports
          </Text>
          <FormProblem of={[undo]} title="The import wasn't undone" />
        </BlockStack>
      </Box>
      <ListTable
        label="Earlier imports"
        columns={[{ title: "File" }, { title: "Finished" }, { title: "Result" }, { title: "Undo" }]}
        rows={imports.map((one) => {
          const row = { one, onUndo: () => ask(one) };
          return { id: one.id, cells: <Cells {...row} />, narrow: <NarrowRow {...row} /> };
        })}
      />
      <ConfirmModal id={UNDO_MODAL} title="Undo this import?" action="Undo import" onConfirm={undo.submit}>
        {chosen ? describeUndo(chosen) : ""}
      </ConfirmModal>
    </Card>
  );
}
