import { Box, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/**
 * Asks for confirmation of an action. Open it with `shopify.modal.show(id)`. App Bridge renders a copy of the content, so the
 * content must be text; the buttons belong to the title bar.
 */
export function ConfirmModal(props: {
  id: string;
  title: string;
  /** a verb, such as "Revoke key" */
  action: string;
  /** false for an action that can be undone */
  isCritical?: boolean;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const { id, title, action, isCritical = true, onConfirm, children } = props;
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
          {...(isCritical ? { tone: "critical" } : {})}
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
