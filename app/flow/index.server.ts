export { flowCall, flowChannel } from "./channel.server.ts";
export { lifecycleSchema, recordLifecycle } from "./lifecycle.server.ts";
export { FLOW_EVENTS } from "./triggers.ts";
