export { mayErase, refreshScopes, shopAuthorized, shopUninstalled } from "./installation.server.ts";
