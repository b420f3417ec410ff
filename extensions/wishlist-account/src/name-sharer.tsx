import { useState } from "preact/hooks";
import type { Output } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { messageOf } from "./messages.ts";
import { failureOf, service } from "./service.ts";
import { t } from "./texts.ts";

/** The most characters of a sharer's name. */
const MAX_NAME = 60;

interface Props {
  listId: string;
  /** the name that people see now who open the link, or "" */
  sharedBy: string;
  onSaved: (link: Output<"lists.updateShareLink">) => void;
}

/** Gives the link the name of the customer, or removes it. */
export function NameSharer({ listId, sharedBy, onSaved }: Props) {
  const [name, setName] = useState(sharedBy);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    setBusy(true);
    setProblem("");
    try {
      onSaved(await service.lists.updateShareLink({ listId, shared_by: name.trim() || null }));
      void shopify.toast.show(t("sharer_saved"));
    } catch (error) {
      const failure = failureOf(error);
      setProblem(failure.code === "invalid_request" ? t("errors.sharer_invalid") : messageOf(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-form onSubmit={() => void submit()}>
      <s-stack gap="small">
        <s-text-field
          label={t("sharer")}
          value={name}
          error={problem}
          maxLength={MAX_NAME}
          autocomplete="given-name"
          onInput={(event) => setName(valueOf(event))}
        />
        <s-stack direction="inline">
          <s-button loading={busy} onClick={() => void submit()}>
            {t("save_name")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-form>
  );
}
