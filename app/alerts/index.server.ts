export { ALERT_KINDS, ALERT_MODES, alertKindSchema, type AlertKind, type AlertMode } from "./kinds.ts";
export {
  changeAlertChoices,
  consentCounts,
  kindOfAlert,
  readAlertChoices,
  withdrawByAlert,
  type AlertChoices,
} from "./consent.server.ts";
export { priceDropDemand } from "./demand.server.ts";
export { isAlertId, openAlert } from "./openings.server.ts";
export { onAlertsSent, startAlerts, wakeAlerts } from "./pipeline.server.ts";
export { openReminders } from "./reminders.server.ts";
export { alertLogQuery, alertTotals, listAlerts } from "./report.server.ts";
export { purgeAlerts } from "./retention.server.ts";
export { readSinceSaved, type SinceSaved } from "./since-saved.server.ts";
export { changedAlertSettings } from "./settings-changes.ts";
export { readAlertSettings, saveAlertSettings } from "./settings.server.ts";
export { alertSettingsForm, type AlertSettings, type AlertSettingsChange } from "./settings-form.ts";
