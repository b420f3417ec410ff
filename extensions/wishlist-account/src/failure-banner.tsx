import { messageOf } from "./messages.ts";
import type { Failure } from "./service.ts";
import { t } from "./texts.ts";

interface Props {
  heading: string;
  failure: Failure;
  onRetry?: () => void;
  onDismiss?: () => void;
}

/** Says what has failed and what the customer can do. */
export function FailureBanner({ heading, failure, onRetry, onDismiss }: Props) {
  return (
    <s-banner tone="critical" heading={heading} dismissible={onDismiss !== undefined} onDismiss={() => onDismiss?.()}>
      <s-stack gap="small">
        <s-text>{messageOf(failure)}</s-text>
        {onRetry && (
          <s-stack direction="inline">
            <s-button onClick={onRetry}>{t("retry")}</s-button>
          </s-stack>
        )}
      </s-stack>
    </s-banner>
  );
}
