import { useState } from "preact/hooks";
import type { Output } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { messageOf } from "./messages.ts";
import { service } from "./service.ts";
import { showToast, t } from "./texts.ts";
import { useRequest } from "./use-request.ts";

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
  const request = useRequest({ invalid_request: "errors.sharer_invalid" });
  const [name, setName] = useState(sharedBy);

  function submit(): void {
    void request.run(
      () => service.lists.updateShareLink({ listId, shared_by: name.trim() || null }),
      (link) => {
        onSaved(link);
        showToast("sharer_saved");
      },
    );
  }

  return (
    <s-form onSubmit={submit}>
      <s-stack gap="small">
        {request.failure && <s-banner tone="critical">{messageOf(request.failure)}</s-banner>}
        <s-text-field
          label={t("sharer")}
          value={name}
          error={request.problem}
          maxLength={MAX_NAME}
          autocomplete="given-name"
          onInput={(event) => setName(valueOf(event))}
        />
        <s-stack direction="inline">
          <s-button loading={request.busy} onClick={submit}>
            {t("save_name")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-form>
  );
}
