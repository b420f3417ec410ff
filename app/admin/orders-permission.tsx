import { OPTIONAL_SCOPES } from "../shopify-sessions/scopes.ts";
import { PermissionButton } from "./permission-button.tsx";
import { useRequestScope, type Permission } from "./use-permission.ts";
import { usePolling } from "./use-polling.ts";

/** Milliseconds between two looks for the first reports. */
const POLL_INTERVAL_MS = 2_000;

export const ALLOW_ORDERS = "Allow access to orders";

/** Requests the permission to read orders. The page needs the form `permission`. */
export function useAllowOrders(): Permission {
  return useRequestScope(OPTIONAL_SCOPES.orders, "Permission declined. Orders aren't counted.");
}

/** Asks for the permission to read orders. @param variant primary where it is what comes next */
export function AllowOrdersButton({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  return (
    <PermissionButton permission={useAllowOrders()} variant={variant}>
      {ALLOW_ORDERS}
    </PermissionButton>
  );
}

/** Says since when orders are counted, in a store whose merchant lets the app read them. @param isReported whether Shopify reports them already */
export function OrdersCounted({ isReported }: { isReported: boolean }) {
  usePolling(!isReported, POLL_INTERVAL_MS);
  return isReported
    ? "Orders are counted from now on. The first order of your store appears here within a minute."
    : "Waiting for Shopify to report this store's orders to the app. They are counted from then on.";
}
