export { audit, AUDIT_DAYS, auditQuery, purgeAudit, forgetInAudit, listAudit, staffInAudit } from "./audit.server.ts";
export type { Act, AuditEntry, Staff } from "./actions.ts";
