import { WishlistButton } from "@wishlist-headless/react";
import type { ReactElement } from "react";

/** A toggle that saves a product, or one of its variants. */
export function Heart({
  productId,
  variantId,
  title,
}: {
  productId: string;
  variantId?: string;
  title: string;
}): ReactElement {
  return (
    <WishlistButton className="heart" productId={productId} variantId={variantId} label={`Save ${title}`}>
      <svg viewBox="0 0 24 24" aria-hidden>
        <path d="M12 20.5 4.3 12.9a4.9 4.9 0 0 1 6.9-6.9l.8.8.8-.8a4.9 4.9 0 0 1 6.9 6.9Z" />
      </svg>
    </WishlistButton>
  );
}
