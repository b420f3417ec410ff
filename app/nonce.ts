import { createContext } from "react";

/** Provides the nonce of a page's scripts. It is undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
