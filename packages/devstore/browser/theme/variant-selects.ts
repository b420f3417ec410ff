import { z } from "zod";

const variantsSchema = z.array(z.object({ id: z.number(), available: z.boolean(), options: z.array(z.string()) }));
type Variant = z.infer<typeof variantsSchema>[number];

/**
 * Selects a variant as Dawn does: changes the hidden `id` input with a `change` event, sets `?variant=` in the address, and
 * dispatches `variant:change`.
 */
export class VariantSelects extends HTMLElement {
  private variants: Variant[] = [];

  connectedCallback(): void {
    const json = this.querySelector("[data-variants]")?.textContent ?? "[]";
    this.variants = variantsSchema.parse(JSON.parse(json));
    this.addEventListener("change", () => this.choose());
    this.markSoldOut();
  }

  private chosenOptions(): string[] {
    return Array.from(this.querySelectorAll<HTMLInputElement>("input:checked"), ({ value }) => value);
  }

  private find(options: readonly string[]): Variant | undefined {
    return this.variants.find((variant) => variant.options.every((value, index) => value === options[index]));
  }

  private choose(): void {
    const variant = this.find(this.chosenOptions());
    const form = this.closest("form");
    this.markSoldOut();
    const input = form?.querySelector<HTMLInputElement>('input[name="id"]');
    if (variant !== undefined && input) {
      input.value = String(variant.id);
      input.dispatchEvent(new Event("change", { bubbles: true }));
      const address = new URL(location.href);
      address.searchParams.set("variant", String(variant.id));
      history.replaceState({}, "", address);
    }
    this.showBuying(variant);
    const productId = this.closest<HTMLElement>("product-info")?.dataset["productId"];
    this.dispatchEvent(
      new CustomEvent("variant:change", {
        bubbles: true,
        detail: { variant, productId, sectionId: this.dataset["section"] },
      }),
    );
  }

  private showBuying(variant: Variant | undefined): void {
    const button = this.closest("form")?.querySelector<HTMLButtonElement>("[name=add]");
    const price = document.querySelector("[data-price]");
    const own = this.querySelector<HTMLTemplateElement>(`template[data-price-of="${variant?.id ?? ""}"]`);
    if (price !== null && own !== null) price.replaceChildren(own.content.cloneNode(true));
    if (!button) return;
    button.disabled = variant?.available !== true;
    button.textContent = (variant?.available === true ? button.dataset["label"] : button.dataset["soldOut"]) ?? "";
  }

  private markSoldOut(): void {
    const chosen = this.chosenOptions();
    for (const [index, fieldset] of [...this.querySelectorAll("fieldset")].entries()) {
      for (const input of fieldset.querySelectorAll("input")) {
        const variant = this.find(chosen.with(index, input.value));
        input.classList.toggle("sold-out", variant?.available !== true);
      }
    }
  }
}
