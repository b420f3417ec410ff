import { useNavigate } from "@remix-run/react";
import { useState } from "react";

/**
 * Returns the choices that the URL of a page contains, such as its filters, and a function that changes some of them.
 * A change is shown at once, and the next change keeps it, even while its page still loads.
 * @param loaded the choices that the shown page was loaded with, as an object of the loader's data
 */
export function useChoices<T extends object>(
  loaded: T,
  urlOf: (choices: T) => string,
  options: { preventScrollReset?: boolean } = {},
): { chosen: T; choose: (change: Partial<T>) => void } {
  const navigate = useNavigate();
  const [pending, setPending] = useState({ from: loaded, chosen: loaded });
  const chosen = pending.from === loaded ? pending.chosen : loaded;
  const choose = (change: Partial<T>): void => {
    const next = { ...chosen, ...change };
    setPending({ from: loaded, chosen: next });
    navigate(urlOf(next), options);
  };
  return { chosen, choose };
}
