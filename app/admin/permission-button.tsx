import { BlockStack, Button } from "@shopify/polaris";
import { FailureText } from "./failure-text.tsx";
import type { Permission } from "./use-permission.ts";

/** Changes a permission of the app. The page needs the form `permission`. */
export function PermissionButton({
  permission: { busy, failure, run },
  variant = "secondary",
  children,
}: {
  permission: Permission;
  variant?: "primary" | "secondary";
  children: string;
}) {
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button variant={variant} loading={busy} onClick={run}>
        {children}
      </Button>
      <FailureText text={failure} />
    </BlockStack>
  );
}
