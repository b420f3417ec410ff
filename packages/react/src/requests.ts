import { isWishlistError, WishlistError, type StorefrontClient } from "@wishlist-headless/sdk";

/** What the requests of a client's shopper have in common. */
export interface Requests {
  readonly client: StorefrontClient;
  /** aborted when the shopper is another one */
  owner: AbortController;
  /** whether the last request failed */
  isFailing: boolean;
  onError: ((error: WishlistError) => void) | undefined;
}

/** Makes requests for the present owner. @returns undefined after a failure, and when the signal was aborted meanwhile */
export async function attempt<T>(
  requests: Requests,
  work: (options: { signal: AbortSignal }) => Promise<T>,
  failed: (error: WishlistError) => void,
  { signal } = requests.owner,
): Promise<T | undefined> {
  try {
    const data = await work({ signal });
    requests.isFailing = false;
    if (!signal.aborted) return data;
  } catch (error) {
    // The app's function that gets the customer's access token can fail with any error.
    if (signal.aborted) return undefined;
    failed(
      isWishlistError(error)
        ? error
        : new WishlistError({ code: "network_error", message: String(error), cause: error }),
    );
    requests.isFailing = true;
  }
  return undefined;
}
