import { useState } from "react";
import { useForm } from "./use-form.ts";

/**
 * Changes a permission of the app through App Bridge, then submits the form `permission`, which reloads the page's data with a new access token.
 * @param change returns whether the permission changed
 */
export function usePermission(change: () => Promise<boolean>): {
  busy: boolean;
  failure: string | undefined;
  run: () => void;
} {
  const form = useForm("permission", {});
  const [changing, setChanging] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    setChanging(true);
    setFailure(undefined);
    try {
      if (await change()) form.submit();
    } catch {
      setFailure("Couldn't change the permission. Try again.");
    } finally {
      setChanging(false);
    }
  };
  return { busy: changing || form.busy, failure, run: () => void run() };
}
