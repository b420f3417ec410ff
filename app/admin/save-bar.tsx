import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import type { AdminForm } from "./form.ts";

/** Asks before unsaved edits are left behind: by a link, by the browser's Back button, and by closing the tab. */
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
 * The admin's own bar over a form with unsaved changes. Its buttons have a type: inside a form, a button without one submits it when App Bridge
 * presses it.
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
