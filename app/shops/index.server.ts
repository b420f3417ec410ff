export { recordMenuLink, setupState, showSetupGuide } from "./setup-guide.server.ts";
export { inStoresFormat, plainMoneyFormat, type StoreMoney } from "./money-format.ts";
export {
  createShop,
  findInstalled,
  findShop,
  listShops,
  readStoreMoney,
  readStorePath,
  recordStorePath,
  setPlan,
  type Shop,
  shopDomainSchema,
} from "./shops.server.ts";
