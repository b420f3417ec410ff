import { useState } from "preact/hooks";
import type { List } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { FormDialog } from "./form-dialog.tsx";
import { nameOf } from "./messages.ts";
import { service } from "./service.ts";
import { showToast, t } from "./texts.ts";
import { useRequest } from "./use-request.ts";

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
  const request = useRequest({ invalid_request: "errors.name_invalid", list_name_taken: "errors.name_taken" });
  const [typed, setTyped] = useState<string>();
  const name = typed ?? list?.name ?? "";

  function submit(): void {
    const wanted = name.trim();
    if (wanted === "") {
      request.refuse(t("errors.name_invalid"));
      return;
    }
    void request.run(
      () =>
        list ? service.lists.update({ listId: list.listId, name: wanted }) : service.lists.create({ name: wanted }),
      (saved) => {
        showToast(list ? "list_renamed" : "list_created");
        onDone(saved);
      },
    );
  }

  return (
    <FormDialog
      id={id}
      heading={t(list ? "rename_list" : "new_list")}
      request={request}
      action={t(list ? "save" : "create")}
      onHide={() => setTyped(undefined)}
      onSubmit={submit}
    >
      <s-text-field
        label={t("list_name")}
        value={name}
        error={request.problem}
        maxLength={MAX_NAME}
        autocomplete="off"
        onInput={(event) => setTyped(valueOf(event))}
      />
    </FormDialog>
  );
}

interface DeleteProps {
  id: string;
  list: List;
  onDone: () => void;
}

/** Deletes a list after a question. */
export function DeleteList({ id, list, onDone }: DeleteProps) {
  const request = useRequest();

  function submit(): void {
    void request.run(
      () => service.lists.delete({ listId: list.listId }),
      () => {
        showToast("list_deleted", { name: nameOf(list) });
        onDone();
      },
    );
  }

  return (
    <FormDialog
      id={id}
      heading={t("delete_named", { name: nameOf(list) })}
      request={request}
      action={t("delete_list")}
      tone="critical"
      onSubmit={submit}
    >
      <s-paragraph>
        {list.itemCount === 0 ? t("delete_empty") : t("delete_text", { count: list.itemCount })}
      </s-paragraph>
    </FormDialog>
  );
}
