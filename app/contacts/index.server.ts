export { SEALED_CONTACTS } from "./addresses.server.ts";
export { confirmation, confirmRequest, productOfRequest } from "./confirmation.server.ts";
export { contactJoin, joinAddress, joinCustomers, noticeCustomer } from "./joining.server.ts";
export { isContact } from "./contact-id.ts";
export { addressOfContact, findContact, readAllRecipients } from "./recipients.server.ts";
export { askAsCustomer, askByAddress, openRequests, readOffer, withdrawRequests } from "./requests.server.ts";
export { emailSchema, localeSchema, requestKindSchema, targetPriceSchema } from "./wanted.ts";
export { purgeRequests } from "./retention.server.ts";
