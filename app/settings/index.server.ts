export { readSettings, saveSettings, showCustomerNames } from "./settings.server.ts";
export { settingsForm } from "./settings.ts";
export { timeZones, timeZoneSchema } from "./time-zone.ts";
export { onTimeZoneChanged, timeZoneChanged } from "./time-zone.server.ts";
