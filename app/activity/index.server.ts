export { drainShop, onRelayed, startRelay, wakeRelay } from "./relay.server.ts";
export { dropActivity } from "./retention.server.ts";
