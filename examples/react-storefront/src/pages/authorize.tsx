import type { ReactElement } from "react";
import { redirect, type LoaderFunctionArgs } from "react-router";
import { finishLogin } from "../customer-login.ts";
import { beginSession } from "../session.ts";

/** Finishes a login, and returns to the page on which it began. */
export async function authorizeLoader({ request }: LoaderFunctionArgs): Promise<Response> {
  const returnTo = await finishLogin(new URL(request.url)).catch((error: unknown) => {
    throw new Error("You couldn't be logged in. Go to the shop and try again.", { cause: error });
  });
  await beginSession();
  return redirect(returnTo);
}

export function AuthorizePage(): ReactElement {
  return <p>Logging you in…</p>;
}
