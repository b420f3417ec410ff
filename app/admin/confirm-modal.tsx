import { Box, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/**
 * Asks before what can't be undone: `shopify.modal.show(id)`. App Bridge shows a copy of what is inside, so it is text only; its buttons are
 * those of the title bar.
 */
export function ConfirmModal(props: {
  id: string;
  title: string;
  /** a verb, such as "Revoke key" */
  action: string;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const { id, title, action, onConfirm, children } = props;
  const close = () => void shopify.modal.hide(id);
  return (
    <ui-modal id={id} variant="small">
      <Box padding="400">
        <Text as="p">{children}</Text>
      </Box>
      <ui-title-bar title={title}>
        <button
          type="button"
          variant="primary"
          tone="critical"
          onClick={() => {
            close();
            onConfirm();
          }}
        >
          {action}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </ui-title-bar>
    </ui-modal>
  );
}
