export { endAlertPause } from "./alert-pause.server.ts";
export { readSettings, saveSettings } from "./settings.server.ts";
export { settingsForm } from "./settings.ts";
export { timeZones, timeZoneSchema } from "./time-zone.ts";
