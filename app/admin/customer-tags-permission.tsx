import { OPTIONAL_SCOPES } from "../shopify-sessions/scopes.ts";
import { PermissionButton } from "./permission-button.tsx";
import { useRequestScope } from "./use-permission.ts";

/** Requests the permission to tag customers. The page needs the form `permission`. */
export function AllowTagsButton() {
  const permission = useRequestScope(OPTIONAL_SCOPES.customerTags, "Permission declined. Nothing has changed.");
  return <PermissionButton permission={permission}>Allow tags</PermissionButton>;
}
