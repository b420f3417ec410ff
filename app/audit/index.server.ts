export {
  audit,
  AUDIT_DAYS,
  auditQuery,
  purgeAudit,
  eraseCustomerInAudit,
  listAudit,
  staffInAudit,
} from "./audit.server.ts";
export type { AuditAction, AuditEntry, Staff } from "./actions.ts";
