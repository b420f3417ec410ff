import { Badge } from "@shopify/polaris";
import type { KeyState } from "./key-data.ts";

export function KeyStateBadge({ state }: { state: KeyState }) {
  switch (state) {
    case "active":
      return <Badge tone="success">Active</Badge>;
    case "rotated":
      return <Badge tone="attention">Being replaced</Badge>;
    case "expired":
      return <Badge>Expired</Badge>;
    case "revoked":
      return <Badge>Revoked</Badge>;
  }
}
