import { useRef, useState } from "preact/hooks";
import type { List } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { messageOf, nameOf } from "./messages.ts";
import { failureOf, service, type Failure } from "./service.ts";
import { t } from "./texts.ts";

/** The most characters of a list's name. */
const MAX_NAME = 100;

interface NameProps {
  id: string;
  /** the list that is renamed; a new one is created without it */
  list?: List;
  onDone: (saved: List) => void;
}

/** Creates or renames a list. */
export function NameList({ id, list, onDone }: NameProps) {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [name, setName] = useState(list?.name ?? "");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  function restart(): void {
    setName(list?.name ?? "");
    setProblem("");
  }

  async function submit(): Promise<void> {
    const wanted = name.trim();
    if (wanted === "") {
      setProblem(t("errors.name_invalid"));
      return;
    }
    setBusy(true);
    try {
      const saved = await (list
        ? service.lists.update({ listId: list.listId, name: wanted })
        : service.lists.create({ name: wanted }));
      modal.current?.hideOverlay();
      void shopify.toast.show(t(list ? "list_renamed" : "list_created"));
      onDone(saved);
    } catch (error) {
      const failure = failureOf(error);
      setProblem(failure.code === "invalid_request" ? t("errors.name_invalid") : messageOf(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal id={id} ref={modal} heading={t(list ? "rename_list" : "new_list")} onShow={restart}>
      <s-form onSubmit={() => void submit()}>
        <s-text-field
          label={t("list_name")}
          value={name}
          error={problem}
          maxLength={MAX_NAME}
          autocomplete="off"
          onInput={(event) => setName(valueOf(event))}
        />
      </s-form>
      <s-button slot="secondary-actions" command="--hide" commandFor={id}>
        {t("cancel")}
      </s-button>
      <s-button slot="primary-action" variant="primary" loading={busy} onClick={() => void submit()}>
        {t(list ? "save" : "create")}
      </s-button>
    </s-modal>
  );
}

interface DeleteProps {
  id: string;
  list: List;
  onDone: () => void;
}

/** Deletes a list after a question. */
export function DeleteList({ id, list, onDone }: DeleteProps) {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    setBusy(true);
    try {
      await service.lists.delete({ listId: list.listId });
      modal.current?.hideOverlay();
      void shopify.toast.show(t("list_deleted", { name: nameOf(list) }));
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal
      id={id}
      ref={modal}
      heading={t("delete_named", { name: nameOf(list) })}
      onShow={() => setFailure(undefined)}
    >
      <s-stack gap="base">
        {failure && <s-banner tone="critical">{messageOf(failure)}</s-banner>}
        <s-paragraph>
          {list.itemCount === 0 ? t("delete_empty") : t("delete_text", { count: list.itemCount })}
        </s-paragraph>
      </s-stack>
      <s-button slot="secondary-actions" command="--hide" commandFor={id}>
        {t("cancel")}
      </s-button>
      <s-button slot="primary-action" variant="primary" tone="critical" loading={busy} onClick={() => void submit()}>
        {t("delete_list")}
      </s-button>
    </s-modal>
  );
}
