import { every, say } from "./page.ts";
import { post } from "./proxy.ts";
import { wishlist } from "./wishlist.ts";

/** Fills the wishlist-page block with what the app proxy renders in the theme. */
export async function fillPage(): Promise<void> {
  const [page] = every("[data-wishlist-page][data-wishlist-fill]");
  if (!page) return;
  delete page.dataset["wishlistFill"];
  const number = Number(new URLSearchParams(location.search).get("page")) || undefined;
  const response = await post("page", { guestId: wishlist().guest, page: number });
  page.ariaBusy = null;
  if (!response?.ok) {
    say(response?.status);
    return;
  }
  // Unlike innerHTML's, the scripts of such a fragment run.
  page.replaceChildren(document.createRange().createContextualFragment(await response.text()));
}
