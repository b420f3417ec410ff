export { ALERT_KINDS, alertKindSchema, type AlertKind } from "./kinds.ts";
export {
  consentCounts,
  consentResults,
  kindOfAlert,
  readAlertChoices,
  withdrawByAlert,
  type WithdrawalScope,
} from "./consent.server.ts";
export * as operations from "./operations.server.ts";
export { priceDropDemand } from "./demand.server.ts";
export { isAlertId, openAlert } from "./openings.server.ts";
export { onAlertsSent, openReminders, startAlerts, wakeAlerts } from "./pipeline.server.ts";
export { downloadAlerts } from "./log-export.server.ts";
export { alertLogQuery, momentQuery, toMomentId } from "./log-query.ts";
export { listMomentAlerts } from "./moment-alerts.server.ts";
export { listMoments, readMoment } from "./moments.server.ts";
export { alertResults } from "./results.server.ts";
export { purgeAlerts } from "./retention.server.ts";
export { readSinceSaved, type SinceSaved } from "./since-saved.server.ts";
export { changedAlertSettings } from "./settings-changes.ts";
export { endAlertPause, readAlertSettings, saveAlertSettings } from "./settings.server.ts";
export { alertSettingsForm } from "./settings-form.ts";
