import { useEffect } from "react";
import type { AdminForm } from "./form.ts";

/** The admin's own bar over a form with unsaved changes. */
export function SaveBar({ id, form }: { id: string; form: AdminForm<unknown> }) {
  const { dirty, busy, submit, reset } = form;
  useEffect(() => {
    void (dirty ? shopify.saveBar.show(id) : shopify.saveBar.hide(id));
  }, [id, dirty]);
  return (
    <ui-save-bar id={id} discardConfirmation={true}>
      <button variant="primary" onClick={submit} {...(busy ? { loading: "" } : {})}>
        Save
      </button>
      <button onClick={reset} disabled={busy}>
        Discard
      </button>
    </ui-save-bar>
  );
}
