export { readStorePath, recordStorePath } from "./store-path.server.ts";
export { setupState, showSetupGuide } from "./setup-guide.server.ts";
export {
  createShop,
  findInstalled,
  findShop,
  listShops,
  setPlan,
  shopDomainSchema,
  type Shop,
} from "./shops.server.ts";
