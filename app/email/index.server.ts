export { emailChannel } from "./channel.server.ts";
export { sendConfirmation } from "./confirmation.server.ts";
export { exampleMessage, proposeEmailSettings, sendTest } from "./example.server.ts";
export { changedEmailSettings } from "./settings-changes.ts";
export { emailPreviewForm, emailSettingsForm, emailTestForm } from "./settings-form.server.ts";
export { followEmailScopes, readEmailSettings, saveEmailSettings } from "./settings.server.ts";
export { purgeEmail, SEALED_ADDRESSES } from "./admission.server.ts";
export { canSendMail, closeMail } from "./transport.server.ts";
