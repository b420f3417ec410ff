export { readStorePath, recordStorePath } from "./store-path.server.ts";
export { recordMenuLink, setupState, showSetupGuide } from "./setup-guide.server.ts";
export { plainMoneyFormat } from "./money-format.ts";
export {
  createShop,
  findInstalled,
  findShop,
  listShops,
  readMoneyFormat,
  setPlan,
  shopDomainSchema,
  type Shop,
} from "./shops.server.ts";
