// Fills the wishlist block with the page that the app renders through the app proxy.
import { isPage, resultOf } from "../../shared/proxy.ts";
import { every } from "../dom.ts";

const { post, wishlist, refuse } = wishlistCore;

const LIST = /^lst_\w+$/;
const ORDER = /^(?:oldest|price_asc|price_desc|title|position)$/;

async function fill(page: HTMLElement): Promise<void> {
  const again = page.querySelector<HTMLElement>("[data-wishlist-again]");
  page.ariaBusy = "true";
  if (again) again.hidden = true;
  const query = new URLSearchParams(location.search);
  const response = await post("page", {
    guestId: wishlist().guest,
    listId: LIST.exec(query.get("list") ?? "")?.[0],
    page: Number(query.get("page")) || undefined,
    sort: ORDER.exec(query.get("sort") ?? "")?.[0],
    available: query.get("available") === "1" || undefined,
    q: /^.{1,100}$/.exec(query.get("q")?.trim() ?? "")?.[0],
    // The theme's page has a title already.
    heading: document.querySelector("h1") ? 0 : 2,
  });
  page.ariaBusy = null;
  if (isPage(response)) {
    // The scripts of such a fragment run, unlike those of innerHTML.
    page.replaceChildren(document.createRange().createContextualFragment(await response.text()));
    return;
  }
  void refuse((await resultOf(response)).error);
  if (!again) return;
  again.hidden = false;
  again.querySelector("button")?.addEventListener("click", () => void fill(page), { once: true });
}

for (const page of every("[data-wishlist-fill]")) {
  delete page.dataset["wishlistFill"];
  void fill(page);
}
