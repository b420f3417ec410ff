export {
  onDeliveriesCreated,
  processOutbox,
  startOutboxProcessor,
  wakeOutbox,
  type DueEndpoints,
} from "./outbox.server.ts";
export { purgeActivity } from "./retention.server.ts";
