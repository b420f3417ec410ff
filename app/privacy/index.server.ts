export { eraseCustomer, eraseShop } from "./erasure.server.ts";
export { listRequests } from "./request-list.server.ts";
export {
  privacyTask,
  readRecord,
  SEALED_PRIVACY_REQUESTS,
  takePrivacyRequest,
  tendPrivacyRequests,
  type PrivacyKind,
} from "./requests.server.ts";
