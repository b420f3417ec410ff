import { createContext } from "react";

/** The nonce that a page's scripts carry. Only the server knows it: browsers hide it from scripts. */
export const Nonce = createContext<string | undefined>(undefined);
