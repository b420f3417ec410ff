export { drainShop, onRelayed, startRelay, wakeRelay, type RelayedEndpoints } from "./relay.server.ts";
export { dropActivity } from "./retention.server.ts";
