import { isWishlistError, type WishlistError } from "@wishlist-headless/sdk";
import { useSyncExternalStore } from "react";
import { deleteTokens, endLogin, getAccessToken, LoginExpiredError, startLogin, TOKENS_KEY } from "./customer-login.ts";
import { messageOf } from "./error-messages.ts";
import { notify } from "./notices.ts";
import { client } from "./client.ts";

/** Returns whose wishlist the page shows. */
export function useOwner(): "guest" | "customer" {
  return useSyncExternalStore(client.onOwnerChange, () => client.owner);
}

/** Follows logins and logouts of other tabs. */
export function followTabs(): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== TOKENS_KEY) return;
    if (newValue === null) client.logout();
    else if (client.owner === "guest") void beginSession();
  });
}

/** Makes the customer who is logged in the owner of the wishlist, and says what of the guest's lists was merged. */
export async function beginSession(): Promise<void> {
  try {
    const merge = await client.login(getAccessToken);
    if (merge?.merged) notify(mergeMessage(merge.addedCount));
    else if (merge) notify(`What you had saved before couldn't be added to your wishlist. (${merge.message})`);
  } catch (error) {
    if (isExpired(error)) endSession();
    else notify("You couldn't be logged in right now.", { label: "Try again", run: beginSession });
  }
}

function mergeMessage(addedCount: number): string {
  if (addedCount === 0) return "You're logged in. Your wishlist had everything already that you had saved before.";
  const products = addedCount === 1 ? "1 product" : `${addedCount} products`;
  return `You're logged in. ${products} that you had saved before ${addedCount === 1 ? "is" : "are"} in your wishlist now.`;
}

export async function logIn(): Promise<void> {
  await startLogin().catch(reportLogin);
}

export async function logOut(): Promise<void> {
  client.logout();
  await endLogin().catch(reportLogin);
}

function reportLogin(): void {
  notify("The store's login can't be reached right now. Try again later.");
}

/** Tells the shopper about a failure of the wishlist, wherever on the page it occurred. */
export function reportWishlistError(error: WishlistError): void {
  if (isExpired(error)) endSession();
  else notify(messageOf(error));
}

function isExpired(error: unknown): boolean {
  return (
    error instanceof LoginExpiredError ||
    (isWishlistError(error) && (error.code === "invalid_customer_token" || error.cause instanceof LoginExpiredError))
  );
}

function endSession(): void {
  deleteTokens();
  client.logout();
  notify("Your login has expired.", { label: "Log in", run: logIn });
}
