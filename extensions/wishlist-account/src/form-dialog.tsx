import type { ComponentChildren } from "preact";
import { messageOf } from "./messages.ts";
import { t } from "./texts.ts";
import type { FormRequest } from "./use-request.ts";

interface Props {
  id: string;
  heading: string;
  request: FormRequest;
  /** the text of the button that submits */
  action: string;
  tone?: "critical";
  /** the button beside it; by default one that cancels */
  secondary?: ComponentChildren;
  /** Forgets what was typed. */
  onHide?: () => void;
  onSubmit: () => void;
  children: ComponentChildren;
}

/** Shows a form in a dialog, and why its request failed. */
export function FormDialog({ id, heading, request, action, tone, secondary, onHide, onSubmit, children }: Props) {
  const { modal, busy, failure, reset } = request;

  function restart(): void {
    reset();
    onHide?.();
  }

  return (
    <s-modal id={id} ref={modal} heading={heading} onHide={restart}>
      <s-form onSubmit={onSubmit}>
        <s-stack gap="base">
          {failure && <s-banner tone="critical">{messageOf(failure)}</s-banner>}
          {children}
        </s-stack>
      </s-form>
      {secondary ?? (
        <s-button slot="secondary-actions" command="--hide" commandFor={id}>
          {t("cancel")}
        </s-button>
      )}
      <s-button slot="primary-action" variant="primary" {...(tone && { tone })} loading={busy} onClick={onSubmit}>
        {action}
      </s-button>
    </s-modal>
  );
}
