import { readConfig } from "./config.ts";
import { watchAdminElements } from "./admin-elements.ts";
import { patchFetch } from "./fetch.ts";
import { createGlobal } from "./global.ts";
import { defineModal } from "./modal.ts";
import { followNavigation, followReload } from "./navigation.ts";
import { createSaveBars } from "./save-bar.ts";
import { openChannel } from "./channel.ts";

const channel = openChannel();
const config = readConfig();
const saveBars = createSaveBars(channel);
const shopify = createGlobal(channel, config, saveBars);
Object.defineProperty(window, "shopify", { value: shopify, configurable: true, writable: true });
const idToken = () => shopify.idToken();
patchFetch(channel, config, idToken);
defineModal();
saveBars.define();
if (!followReload(idToken)) {
  followNavigation(channel, config);
  watchAdminElements(channel);
}
channel.send({ type: "ready" });
