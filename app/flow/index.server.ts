export { flowChannel } from "./channel.server.ts";
export { lifecycleSchema, recordLifecycle } from "./lifecycle.server.ts";
