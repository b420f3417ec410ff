export { customerNames, namesInBatches, searchCustomers, type CustomerAccess } from "./customers.server.ts";
export { readRecipients } from "./recipients.server.ts";
export type { StoreCustomer } from "./customer-names.ts";
export {
  beginTagging,
  customerTagging,
  dismissTagging,
  listTaggings,
  reconcileTaggings,
  stopTagging,
} from "./tagging.server.ts";
export { connectCustomerAccounts, type StoreFetch, identifyCustomer } from "./customer-accounts.server.ts";
