import { CartItems } from "./cart-items.ts";
import { showAddedLines, submitProductForm } from "./product-form.ts";
import { VariantSelects } from "./variant-selects.ts";

customElements.define("variant-selects", VariantSelects);
customElements.define("cart-items", CartItems);

document.addEventListener("submit", (event) => {
  if (event.target instanceof HTMLFormElement && event.target.dataset["type"] === "add-to-cart-form") {
    event.preventDefault();
    void submitProductForm(event.target);
  }
});
document.addEventListener("shopify:cart:lines-update", showAddedLines);
