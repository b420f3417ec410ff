export {
  onDeliveriesCreated,
  processOutbox,
  startOutboxProcessor,
  wakeOutbox,
  type DueEndpoints,
} from "./outbox.server.ts";
export { dropActivity } from "./retention.server.ts";
