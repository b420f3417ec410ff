import { BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import type { IssuedKeyView } from "../../access/views.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { AdminForm } from "../use-form.ts";
import { FormProblem } from "../form-problem.tsx";

const NO_OVERLAP = "0";
export const DEFAULT_OVERLAP = "24";
const OVERLAPS = [
  { label: "1 day", value: DEFAULT_OVERLAP },
  { label: "1 hour", value: "1" },
  { label: "1 week", value: "168" },
  { label: "No time (stops immediately)", value: NO_OVERLAP },
];

const ROTATE_NOW_MODAL = "rotate-key-now";

/**
 * Rotates a key.
 * @param use describes when the key was last used, for the confirmation before it stops immediately
 */
export function RotateCard(props: { form: AdminForm<IssuedKeyView>; isPublishable: boolean; use: string }) {
  const { form, isPublishable, use } = props;
  const rotate = (): void => {
    if (form.values["overlap"] === NO_OVERLAP) void shopify.modal.show(ROTATE_NOW_MODAL);
    else form.submit();
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Rotate key
        </Text>
        <Text as="p" tone="subdued">
          Create a key with a new ID and{" "}
          {isPublishable ? "the same name, origins," : "secret and the same name, type, permissions,"} and expiry date.
          Keep this key valid until your {isPublishable ? "storefronts" : "systems"} use the new one.
        </Text>
        <FormProblem of={[form]} title="The key wasn't rotated" />
        <Select {...form.text("overlap")} label="Keep this key valid for" options={OVERLAPS} />
        <InlineStack align="end">
          <Button onClick={rotate} loading={form.busy}>
            Rotate key
          </Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal id={ROTATE_NOW_MODAL} title="Rotate and stop this key?" action="Rotate key" onConfirm={form.submit}>
        {use} {isPublishable ? "Storefronts" : "Systems"} that use it lose access immediately, until they have the new
        key.
      </ConfirmModal>
    </Card>
  );
}
