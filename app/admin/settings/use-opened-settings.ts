import { useCallback, useState } from "react";

/**
 * Returns the settings that a form was opened with or has saved, which it keeps even when another staff member saves in the meantime, and the form's
 * key: it changes when the current settings replace what was typed.
 * @param loaded the current settings
 */
export function useOpenedSettings<Settings>(loaded: Settings) {
  const [{ opened, key }, setState] = useState({ opened: loaded, key: 0 });
  const onSaved = useCallback((saved: Settings) => setState((before) => ({ ...before, opened: saved })), []);
  const onReload = (): void => setState((before) => ({ opened: loaded, key: before.key + 1 }));
  return { opened, key, onSaved, onReload };
}
