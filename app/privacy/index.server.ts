export { eraseCustomer, eraseShop } from "./erasure.server.ts";
export { listRequests, openDataRequests } from "./request-list.server.ts";
export {
  privacyTask,
  markRecordSent,
  personForm,
  requestForAddress,
  readRecord,
  RECORD_FORMATS,
  SEALED_PRIVACY_REQUESTS,
  acceptPrivacyRequest,
  runPrivacyMaintenance,
  type PrivacyKind,
} from "./requests.server.ts";
