export { readRefusedTokens, type RefusedTokens } from "./refused-tokens.server.ts";
export { includesScope, OPTIONAL_SCOPES, toScopes, type OptionalScope } from "./scopes.ts";
export { deleteSessions, expireAccessToken, readScopes, recordScopes } from "./shop-sessions.server.ts";
export { noSessions, SEALED_SESSIONS, sessionStorage } from "./storage.server.ts";
export { validSession, type RefreshRequest } from "./token-refresh.server.ts";
