import { word } from "./words.ts";

/** A link to the store's login. */
export const logInLink = `<a href="{{ routes.account_login_url | default: '/account/login' }}">${word("log_in")}</a>`;
