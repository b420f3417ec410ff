export {
  authenticate,
  authenticateKey,
  grantsScope,
  issueToken,
  sampleRequestToken,
  type Principal,
} from "./authenticate.server.ts";
export {
  activeKeys,
  createKey,
  findKey,
  isKeyId,
  keyOfShop,
  listKeys,
  revokeKey,
  rotateKey,
  type IssuedKey,
} from "./api-keys.server.ts";
export { watchKeyStates, type KeyState } from "./key-states.server.ts";
export { keyLimits } from "./key-limits.server.ts";
export { ALL_SCOPES, isScope, SCOPES, type Scope } from "./scopes.ts";
export { createKeyForm, issuedKeySchema, rotateKeyForm, sampleRequestForm } from "./forms.ts";
export type { ApiKey } from "./views.ts";
export { exchangeBody, exchangedSchema } from "./exchange.ts";
export { TOKEN_LIFETIME } from "./tokens.server.ts";
export { KEY_CAP } from "./failures.ts";
