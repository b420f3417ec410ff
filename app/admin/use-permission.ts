import { useState } from "react";
import type { OptionalScope } from "../shopify-sessions/scopes.ts";
import { useForm } from "./use-form.ts";

/** A change of a permission that staff can make. */
export interface Permission {
  busy: boolean;
  failure: string | undefined;
  run: () => void;
}

/**
 * Changes a permission of the app through App Bridge, then submits the form `permission`, which reloads the page's data with a new access token.
 * @param change returns whether the permission changed
 * @param onChanged called when the page has its new data
 */
export function usePermission(change: () => Promise<boolean>, onChanged: () => void = () => undefined): Permission {
  const form = useForm("permission", {}, { onDone: onChanged });
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

/** Requests an optional scope of the app, as `usePermission` does. @param declined what staff are told when they decline */
export function useRequestScope(scope: OptionalScope, declined: string, onGranted?: () => void): Permission {
  return usePermission(async () => {
    const { result } = await shopify.scopes.request([scope]);
    if (result === "granted-all") return true;
    shopify.toast.show(declined);
    return false;
  }, onGranted);
}
