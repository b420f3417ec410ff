import { useEffect, useId, useRef, type ReactElement, type ReactNode } from "react";

/** A modal dialog. The browser keeps the focus in it, closes it with Escape, and returns the focus. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);

  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form method="dialog" className="dialog-header">
        <h2 id={titleId}>{title}</h2>
        <button className="plain" aria-label="Close">
          ✕
        </button>
      </form>
      {children}
    </dialog>
  );
}
