export { emailChannel } from "./channel.server.ts";
export { emailSettingsForm, type EmailSettings } from "./settings-form.ts";
export { followEmailScopes, readEmailSettings, saveEmailSettings } from "./settings.server.ts";
export { purgeEmail, SEALED_ADDRESSES } from "./suppressions.server.ts";
export { canSendMail, closeMail } from "./transport.server.ts";
