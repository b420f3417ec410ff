export { storeEvent, acceptStoreEvent } from "./events.server.ts";
export type { Topic } from "./payloads.ts";
