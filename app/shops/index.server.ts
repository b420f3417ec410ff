export { readStorePath, recordStorePath } from "./store-path.server.ts";
export { recordMenuLink, setupState, showSetupGuide } from "./setup-guide.server.ts";
export { inMoneyFormat, plainMoneyFormat } from "./money-format.ts";
export {
  createShop,
  findInstalled,
  findShop,
  listShops,
  readStoreMoney,
  setPlan,
  shopDomainSchema,
  type Shop,
  type StoreMoney,
} from "./shops.server.ts";
