export { storeEvent, takeStoreEvent } from "./events.server.ts";
export type { Topic } from "./payloads.ts";
