export { announceNumbers, onChangeNumbers } from "./change-numbers.server.ts";
export {
  onDeliveriesCreated,
  processOutbox,
  startOutboxProcessor,
  wakeOutbox,
  type DueEndpoints,
} from "./outbox.server.ts";
export { LAG_ROWS, readOutboxLag, type OutboxLag } from "./outbox-lag.server.ts";
export { cutTexts, purgeActivity } from "./retention.server.ts";
export { discardChange, listSetAsideChanges, retryChanges, type SetAsideChange } from "./set-aside-changes.server.ts";
