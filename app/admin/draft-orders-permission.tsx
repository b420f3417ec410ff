import { OPTIONAL_SCOPES } from "../shopify-sessions/scopes.ts";
import { PermissionButton } from "./permission-button.tsx";
import { useRequestScope } from "./use-permission.ts";

/** Requests the permission to create draft orders. The page needs the form `permission`. */
export function AllowDraftOrdersButton({ onAllowed }: { onAllowed: () => void }) {
  const declined = "Permission declined. Nothing has changed.";
  const permission = useRequestScope(OPTIONAL_SCOPES.draftOrders, declined, onAllowed);
  return <PermissionButton permission={permission}>Allow draft orders</PermissionButton>;
}
