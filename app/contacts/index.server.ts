export { SEALED_CONTACTS } from "./addresses.server.ts";
export { confirmation, confirmRequest, readLinkedRequest } from "./confirmation.server.ts";
export { contactJoin, joinAddress, joinCustomers, noticeCustomer } from "./joining.server.ts";
export { isContact } from "./contact-id.ts";
export { addressOfContact, findContact, readAllRecipients } from "./recipients.server.ts";
export * as operations from "./operations.server.ts";
export { openRequests, readOffer } from "./requests.server.ts";
export { targetPriceSchema } from "./wanted.ts";
export { purgeRequests } from "./retention.server.ts";
