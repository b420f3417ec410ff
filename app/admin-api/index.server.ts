export { AdminApiError, queryAdminApi, connectAdminApi, type AdminClient } from "./client.server.ts";
export { withThrottleRetry } from "./throttle.server.ts";
export { isAccessRefused } from "./refused-access.server.ts";
