export { catalog, resolveHandles } from "./catalog.server.ts";
export { describeProducts, type MirroredProduct, type MirroredVariant } from "./mirror.server.ts";
export { includes, planSchema, type Plan } from "./plans.ts";
export {
  createShop,
  findShop,
  listShops,
  setPlan,
  shopDomainSchema,
  timeZoneSchema,
  type Shop,
} from "./shops.server.ts";
