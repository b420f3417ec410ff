export { isUninstalled, refreshScopes, shopAuthorized, shopUninstalled } from "./installation.server.ts";
