import { flowLifecycleAction } from "../http/shopify-webhooks/flow.server.ts";

export const action = flowLifecycleAction("/webhooks/flow");
