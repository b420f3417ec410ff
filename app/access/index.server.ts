export { idempotencySpaceOf, type BoundCaller, type Caller } from "./caller.ts";
export {
  authenticate,
  authenticateKey,
  authenticatePublishableKey,
  findAccountClient,
  grantsScope,
  issueStorefrontToken,
  issueToken,
  sampleRequestToken,
} from "./authenticate.server.ts";
export {
  activeKeys,
  changeKey,
  createKey,
  createPublishableKey,
  findKey,
  isKeyId,
  type IssuedKey,
  keyLimits,
  keyOfShop,
  listKeys,
  revokeKey,
  rotateKey,
  setAllowedOrigins,
  type SuccessorKey,
} from "./api-keys.server.ts";
export { watchKeyStates } from "./key-states.server.ts";
export { ALL_SCOPES, CUSTOMER_SCOPES, isScope, SCOPES, type Scope } from "./scopes.ts";
export { changeKeyForm, createKeyForm, issuedKeySchema, rotateKeyForm, sampleRequestForm } from "./forms.ts";
export type { ApiKey } from "./views.ts";
export { exchangeBody, exchangedSchema } from "./exchange.ts";
export { TOKEN_LIFETIME } from "./tokens.server.ts";
export { originsSchema } from "./origins.ts";
export { KEY_CAP } from "./failures.ts";
