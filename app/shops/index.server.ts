export { readStorePath, recordStorePath } from "./store-path.server.ts";
export { recordMenuLink, setupState, showSetupGuide } from "./setup-guide.server.ts";
export { inStoresFormat, plainMoneyFormat, type StoreMoney } from "./money-format.ts";
export {
  createShop,
  findInstalled,
  findShop,
  listShops,
  readStoreMoney,
  setPlan,
  shopDomainSchema,
  type Shop,
} from "./shops.server.ts";
