export { klaviyoChannel } from "./channel.server.ts";
export {
  checkKlaviyoKey,
  connectKlaviyo,
  disconnectKlaviyo,
  readKlaviyoConnection,
  saveKlaviyoEvents,
  SEALED_KLAVIYO_KEYS,
} from "./connection.server.ts";
export { KLAVIYO_EVENTS } from "./events.ts";
export { klaviyoConnectForm, klaviyoEventsForm, klaviyoTestForm } from "./forms.ts";
