export { drainShop, onRelayed, startRelay, wakeRelay, type RelayedEndpoints } from "./relay.server.ts";
export { purgeActivity } from "./retention.server.ts";
