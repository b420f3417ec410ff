import { DRAFT_ORDERS_SCOPE } from "../orders/draft-order.ts";
import { PermissionButton } from "./permission-button.tsx";
import { useRequestScope } from "./use-permission.ts";

/** Requests the permission to create draft orders. The page needs the form `permission`. */
export function AllowDraftOrdersButton() {
  const permission = useRequestScope(DRAFT_ORDERS_SCOPE, "Permission declined. Nothing has changed.");
  return <PermissionButton permission={permission}>Allow draft orders</PermissionButton>;
}
