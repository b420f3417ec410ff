import { readConfig } from "./config.ts";
import { watchChrome } from "./chrome.ts";
import { patchFetch } from "./fetch.ts";
import { createGlobal } from "./global.ts";
import { defineModal } from "./modal.ts";
import { followNavigation, followReload } from "./navigation.ts";
import { createSaveBars } from "./save-bar.ts";
import { openWire } from "./wire.ts";

const wire = openWire();
const config = readConfig();
const saveBars = createSaveBars(wire);
const shopify = createGlobal(wire, config, saveBars);
Object.defineProperty(window, "shopify", { value: shopify, configurable: true, writable: true });
const idToken = () => shopify.idToken();
patchFetch(wire, config, idToken);
defineModal();
saveBars.define();
if (!followReload(idToken)) {
  followNavigation(wire, config);
  watchChrome(wire);
}
wire.send({ type: "ready" });
