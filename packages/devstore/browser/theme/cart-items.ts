import { changeCart, variantGid } from "./cart-api.ts";

/** The cart's lines: sends a changed quantity at once and reloads the page. */
export class CartItems extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) void this.set(event.target, Number(event.target.value));
    });
    // Enter also submits the form, but the change event has already sent the quantity.
    this.addEventListener("submit", (event) => {
      event.preventDefault();
      const remove = event.submitter?.hasAttribute("data-remove") === true;
      const input =
        event.target instanceof Element ? event.target.querySelector<HTMLInputElement>("[name=quantity]") : null;
      if (remove && input !== null) void this.set(input, 0);
    });
  }

  private async set(from: HTMLInputElement, quantity: number): Promise<void> {
    const item = from.closest<HTMLElement>("[data-key]");
    const { key = "", variantId = "" } = item?.dataset ?? {};
    const lines = [{ id: `gid://shopify/CartLine/${variantId}`, merchandiseId: variantGid(variantId), quantity }];
    const action = quantity === 0 ? "remove" : "update";
    await changeCart(from, { action, context: "cart", lines }, "/cart/change.js", { id: key, quantity }).catch(
      () => undefined,
    );
    location.reload();
  }
}
