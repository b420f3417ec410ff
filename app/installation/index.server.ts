export {
  accessRefresh,
  mayErase,
  reconcileAccess,
  requestAccessRefresh,
  requestAccessRefreshOf,
  shopAuthorized,
  shopUninstalled,
} from "./installation.server.ts";
export { TOPIC_SUBSCRIPTIONS } from "./topic-subscriptions.server.ts";
