import {
  isRouteErrorResponse,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { formFailure, type FormResult } from "../http/admin/form-result.ts";

/** A form's result in the browser. `requestFailed`: no response of the action arrived. */
export type ClientFormResult<Data> = FormResult<Data> & { requestFailed?: true };

function failed(problem: string): ClientFormResult<never> {
  return { ...formFailure(problem, true), requestFailed: true };
}

/**
 * The `clientAction` of every page with forms. Turns a failed request into a form result, because an error page would replace the form and
 * discard the typed values.
 */
export async function formClientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // A Response is a redirect.
    if (error instanceof Response) throw error;
    if (isRouteErrorResponse(error) && error.status === 401) {
      return failed("Your session has ended, and nothing was saved. Log in to Shopify in another tab, then try again.");
    }
    if (!navigator.onLine || error instanceof TypeError) {
      return failed("The app can't be reached. Your changes may not have been saved. Try again.");
    }
    return failed("Something went wrong. Try again in a moment.");
  }
}

/**
 * The `shouldRevalidate` of every page with forms. After a failed request, loading the page's data would fail as well, and the error page
 * would replace the form.
 */
export function revalidateUnlessFailed({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const result: unknown = actionResult;
  return typeof result === "object" && result !== null && "requestFailed" in result ? false : defaultShouldRevalidate;
}
