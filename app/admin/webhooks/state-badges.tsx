import { Badge } from "@shopify/polaris";
import type { DeliveryStatus } from "../../webhooks/delivery/kinds.ts";
import { STATUS_LABELS, type WebhookState } from "./webhook-data.ts";

export function WebhookStateBadge({ state }: { state: WebhookState }) {
  switch (state) {
    case "on":
      return <Badge tone="success">On</Badge>;
    case "failing":
      return <Badge tone="warning">Failing</Badge>;
    case "paused":
      return <Badge>Paused</Badge>;
    case "not-permitted":
      return <Badge tone="critical">Needs access</Badge>;
    case "gone":
    case "given-up":
      return <Badge tone="critical">Turned off</Badge>;
  }
}

export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  const tone = { pending: "attention", succeeded: "success", failed: "critical" } as const;
  return <Badge tone={tone[status]}>{STATUS_LABELS[status]}</Badge>;
}
