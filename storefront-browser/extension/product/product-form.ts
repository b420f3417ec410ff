import { idOf } from "../../shared/checked.ts";

export const FORM = 'form[action*="/cart/add"]';

/** Returns the variant of a product page's button: the one that its product form would add to the cart now. "" for a card's heart. */
export function variantOf(button: HTMLElement): string {
  const { variants, variantId = "" } = button.dataset;
  if (!variantId) return "";
  // A button that does not list its product's variants belongs to the page's only product.
  const isOurs = (id: string): boolean => id !== "" && (variants ?? id).split(" ").includes(id);
  const addressed = new URLSearchParams(location.search).get("variant") ?? "";
  return formsVariant(button, isOurs) || (isOurs(addressed) ? addressed : variantId);
}

/** Returns the variant in the form that is nearest to the button. */
function formsVariant(button: Element, isOurs: (id: string) => boolean): string {
  for (let around = button.parentElement; around; around = around.parentElement) {
    for (const form of around.querySelectorAll<HTMLFormElement>(FORM)) {
      const field = form.elements.namedItem("id");
      const id = field && "value" in field ? idOf(field.value) : "";
      if (isOurs(id)) return id;
    }
  }
  return "";
}
