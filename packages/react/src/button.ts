import { createElement, forwardRef, type ComponentPropsWithoutRef, type MouseEvent, type ReactNode } from "react";
import { useIsSaved, type Heart } from "./hooks.ts";

export interface WishlistButtonProps extends Omit<ComponentPropsWithoutRef<"button">, "children"> {
  /** an id or a GID of Shopify */
  productId: string;
  /** saves this variant instead of the product's default variant, and is pressed for this variant only */
  variantId?: string | undefined;
  /** the accessible name, such as "Save Lamp". It stays the same when the product is saved: screen readers announce the state themselves */
  label: string;
  /** what the button shows, such as an icon; or a function of the state */
  children?: ReactNode | ((heart: Heart) => ReactNode);
}

/**
 * A toggle button that saves a product or variant. It has no look and no text of its own, and stays the same element in all states.
 * Style it by `[data-saved]`. All other properties go to the `<button>`; an `onClick` that prevents the default prevents the change.
 *
 * @example
 * <WishlistButton productId={product.id} label={`Save ${product.title}`} className="heart">
 *   {({ saved }) => <HeartIcon filled={saved} />}
 * </WishlistButton>
 */
export const WishlistButton = forwardRef<HTMLButtonElement, WishlistButtonProps>(function WishlistButton(
  { productId, variantId, label, children, onClick, ...rest },
  ref,
) {
  const heart = useIsSaved(productId, variantId);
  return createElement(
    "button",
    {
      type: "button",
      "aria-label": label,
      ...rest,
      ref,
      "aria-pressed": heart.saved,
      "data-saved": heart.saved || undefined,
      onClick(event: MouseEvent<HTMLButtonElement>) {
        onClick?.(event);
        if (!event.defaultPrevented) void heart.toggle();
      },
    },
    typeof children === "function" ? children(heart) : children,
  );
});
