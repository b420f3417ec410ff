export { storefrontToken, storefrontTokenBody, storefrontTokenSchema } from "./shopper-tokens.server.ts";
export {
  authenticateSessionToken,
  customerAccountToken,
  customerAccountTokenBody,
  customerAccountTokenSchema,
} from "./session-tokens.server.ts";
