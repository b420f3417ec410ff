import { word } from "./words.ts";

const ADDRESS = "{{ routes.account_login_url | default: '/account/login' }}";

/** A link to the store's login. */
export const logInLink = `<a href="${ADDRESS}">${word("log_in")}</a>`;

/** The same, where there is nothing else to do. */
export const logInButton = `<a class="wl-button button" href="${ADDRESS}">${word("log_in")}</a>`;
