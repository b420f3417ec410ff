export {
  audit,
  AUDIT_DAYS,
  auditQuery,
  purgeAudit,
  eraseCustomerInAudit,
  listAudit,
  staffInAudit,
} from "./audit.server.ts";
export type { Act, AuditEntry, Staff } from "./actions.ts";
