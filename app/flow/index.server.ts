export { flowChannel } from "./channel.server.ts";
export { eventsOfFlow, lifecycleSchema, recordLifecycle } from "./lifecycle.server.ts";
