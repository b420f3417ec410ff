import { buttons, paint } from "./buttons.ts";
import { tail } from "./checked.ts";
import { on } from "./page.ts";

/** What themes announce a chosen variant with; the first is Shopify's own. */
const EVENTS = ["shopify:product:select", "variant:change"] as const;

/** The variant of the page's address that was taken over last. */
let addressed = "";

/** Makes the product page's heart speak of the variant that is chosen. */
export function followVariants(): void {
  on("change", ({ target }) => {
    // Themes with a form's `id` announce it; a select's and an input's values are read alike.
    if (target && "name" in target && "value" in target && target.name === "id") choose(target.value);
  });
  for (const name of EVENTS) {
    on(name, ({ promise, detail }) => {
      choose(detail?.variant?.id);
      promise?.then((result) => choose(result.variant?.id)).catch(() => undefined);
    });
  }
}

/** Takes over `?variant=` if it has changed. */
export function readAddress(): void {
  const variant = new URLSearchParams(location.search).get("variant") ?? "";
  if (variant !== addressed) choose(variant);
  addressed = variant;
}

function choose(id: unknown): void {
  const variant = tail(id);
  for (const { dataset } of buttons()) {
    const { variants, variantId } = dataset;
    // A button that does not list its product's variants belongs to the page's only product.
    if (variant && variantId && (variants ?? variant).split(" ").includes(variant)) dataset["variantId"] = variant;
  }
  paint();
}
