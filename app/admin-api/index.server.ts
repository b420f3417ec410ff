export { AdminApiError, askShop, connectAdminApi, type AdminClient } from "./client.server.ts";
export { askPatiently } from "./throttle.server.ts";
