// Fills the wishlist-page block with what the app proxy renders in the theme.
import { every } from "../page.ts";

const { post, wishlist, sayRefused } = wishlistCore;

async function fill(page: HTMLElement): Promise<void> {
  const again = page.querySelector<HTMLElement>("[data-wishlist-again]");
  page.ariaBusy = "true";
  if (again) again.hidden = true;
  const number = Number(new URLSearchParams(location.search).get("page")) || undefined;
  const response = await post("page", { guestId: wishlist().guest, page: number });
  page.ariaBusy = null;
  if (response?.ok) {
    // Unlike innerHTML's, the scripts of such a fragment run.
    page.replaceChildren(document.createRange().createContextualFragment(await response.text()));
    return;
  }
  sayRefused(response?.status, response?.headers.get("retry-after") ?? "");
  if (!again) return;
  again.hidden = false;
  again.querySelector("button")?.addEventListener("click", () => void fill(page), { once: true });
}

for (const page of every("[data-wishlist-fill]")) {
  delete page.dataset["wishlistFill"];
  void fill(page);
}
