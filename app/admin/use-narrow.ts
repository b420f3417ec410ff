import { useBreakpoints } from "@shopify/polaris";
import { createContext, useContext } from "react";

/** Whether the browser says that it is a phone's. */
const IsPhone = createContext(false);

export const IsPhoneProvider = IsPhone.Provider;

/**
 * Returns whether the page is as narrow as a phone. The server does not know the width, so that it goes by the browser's name: a page that
 * changed from a table to a list after it was shown would shift what the merchant reads.
 */
export function useNarrow(): boolean {
  const { smDown } = useBreakpoints({ defaults: { smDown: useContext(IsPhone) } });
  return smDown;
}
