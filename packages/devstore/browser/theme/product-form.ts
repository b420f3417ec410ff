import { CartError, CartLinesUpdateEvent, changeCart, variantGid } from "./cart-api.ts";

/** Adds the selected variant to the cart without leaving the page. */
export async function submitProductForm(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form);
  const id = Number(data.get("id"));
  const quantity = Number(data.get("quantity") ?? 1);
  const error = form.querySelector<HTMLElement>(".product-form__error-message");
  const button = form.querySelector<HTMLButtonElement>("[type=submit]");
  button?.setAttribute("aria-busy", "true");
  if (error !== null) error.hidden = true;
  try {
    const lines = [{ merchandiseId: variantGid(id), quantity }];
    await changeCart(form, { action: "add", context: "product", lines }, "/cart/add.js", { items: [{ id, quantity }] });
  } catch (reason) {
    if (error !== null) {
      error.textContent = reason instanceof CartError ? reason.message : "The cart did not respond. Try again.";
      error.hidden = false;
    }
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

const SHOWN_MS = 3_000;

export function showAddedLines(event: Event): void {
  if (!(event instanceof CartLinesUpdateEvent) || event.action !== "add") return;
  const notification = document.querySelector<HTMLElement>("#cart-notification");
  const text = document.querySelector<HTMLElement>("[data-added]")?.dataset["added"] ?? "";
  event.promise.then(
    () => {
      if (notification === null) return;
      notification.textContent = text;
      notification.classList.add("active");
      setTimeout(() => notification.classList.remove("active"), SHOWN_MS);
    },
    () => undefined,
  );
}
