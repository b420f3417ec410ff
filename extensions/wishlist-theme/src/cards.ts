import { copyOf, every, setup } from "./page.ts";

const LINKS = 'a[href*="/products/"]';
/** Lists of products in which a heart would lie over something else: a menu, a cart's lines, a wishlist. */
const NO_CARDS = 'nav,[class*=cart-item],form[action$="/cart"],[data-wishlist-page]';

/** Puts a heart on every product card that has none. Hearts lie over the cards: nothing moves. */
export function decorate(): void {
  for (const link of every<HTMLAnchorElement>(LINKS)) {
    // `:is()` forgives what a merchant mistypes.
    const card = link.closest(`:is(${setup("cards")})`);
    const image = card?.querySelector("img,svg");
    const heart = copyOf("[data-wishlist-card]");
    const handle = handleOf(link);
    // With a picture, and about one product: neither a link in a text, nor the list around the cards.
    if (!card || !image || !heart || link.closest(NO_CARDS)) continue;
    // Nor a wishlist's own cards, which have a button that removes them.
    if (card.querySelector("[data-wishlist-button],[data-wishlist-remove]")) continue;
    if (every<HTMLAnchorElement>(LINKS, card).some((one) => handleOf(one) !== handle)) continue;
    const named = (card.querySelector("h1,h2,h3,h4,h5,h6") ?? link).textContent.trim();
    heart.dataset["productHandle"] = handle;
    heart.ariaLabel = (heart.ariaLabel ?? "").replace("[title]", () => named || (image.getAttribute("alt") ?? handle));
    card.classList.add("whl-host");
    card.append(heart);
  }
}

function handleOf(link: HTMLAnchorElement): string {
  return decodeURIComponent(link.pathname.replace(/.*\/products\//, ""));
}
