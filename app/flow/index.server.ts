export { flowCall, flowChannel, onFlowDenied } from "./channel.server.ts";
export { lifecycleSchema, recordLifecycle } from "./lifecycle.server.ts";
export { flowEventsInUse, followScopes } from "./permission.server.ts";
export { FLOW_EVENTS } from "./triggers.ts";
