import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import type { AdminForm } from "./use-form.ts";

/** Asks for confirmation before a link, the Back button or closing the tab discards unsaved edits. */
function useLeaveConfirmation(dirty: boolean): void {
  const blocker = useBlocker(dirty);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    shopify.saveBar.leaveConfirmation().then(
      () => blocker.proceed(),
      () => blocker.reset(),
    );
  }, [blocker]);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (dirty) event.preventDefault();
      },
      [dirty],
    ),
  );
}

/**
 * Shows the admin's save bar while a form has unsaved changes. The buttons need an explicit type, because inside a form a button without one
 * submits it when App Bridge clicks it.
 */
export function SaveBar({ id, form }: { id: string; form: AdminForm<unknown> }) {
  const { dirty, busy, submit, reset } = form;
  useEffect(() => {
    void (dirty ? shopify.saveBar.show(id) : shopify.saveBar.hide(id));
  }, [id, dirty]);
  useLeaveConfirmation(dirty);
  return (
    <ui-save-bar id={id} discardConfirmation={true}>
      <button type="button" variant="primary" onClick={submit} {...(busy ? { loading: "" } : {})}>
        Save
      </button>
      <button type="button" onClick={reset} disabled={busy}>
        Discard
      </button>
    </ui-save-bar>
  );
}
