export { deleteSessions, expireAccessToken, recordScopes } from "./shop-sessions.server.ts";
export { noSessions, SEALED_SESSIONS, sessionStorage } from "./storage.server.ts";
