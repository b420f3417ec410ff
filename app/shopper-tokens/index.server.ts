export { storefrontToken, storefrontTokenBody, storefrontTokenSchema } from "./shopper-tokens.server.ts";
