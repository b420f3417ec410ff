import { BlockStack, Box, List, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Texts that are read one by one, under a title. */
export interface TitledList {
  title: string;
  points: readonly string[];
}

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
  /** what follows from the action in several ways, above the text */
  lists?: readonly TitledList[];
  children: ReactNode;
}) {
  const { id, title, action, isCritical = true, onConfirm, lists = [], children } = props;
  const close = () => void shopify.modal.hide(id);
  return (
    <ui-modal id={id} variant="small">
      <Box padding="400">
        <BlockStack gap="300">
          {lists.map((list) => (
            <BlockStack key={list.title} gap="100">
              <Text as="h2" variant="headingSm">
                {list.title}
              </Text>
              <List>
                {list.points.map((point) => (
                  <List.Item key={point}>{point}</List.Item>
                ))}
              </List>
            </BlockStack>
          ))}
          <Text as="p">{children}</Text>
        </BlockStack>
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
