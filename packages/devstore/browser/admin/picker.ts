import { z } from "zod";
import type { FromApp } from "../app-bridge/messages.ts";
import type { AdminPage } from "./page.ts";

const productsSchema = z.array(
  z.looseObject({
    id: z.string(),
    title: z.string(),
    images: z.array(z.object({ originalSrc: z.string() })),
    variants: z.array(z.looseObject({ id: z.string(), displayName: z.string() })),
  }),
);
type Product = z.infer<typeof productsSchema>[number];
type Resource = Product | Product["variants"][number];

/** What the picker offers: a product, or each of its variants. */
interface Offer {
  resource: Resource;
  name: string;
  picture: string;
}

function offersOf({ images, variants, ...product }: Product, kind: "product" | "variant"): Offer[] {
  const picture = images[0]?.originalSrc ?? "";
  if (kind === "product") return [{ resource: { ...product, images, variants }, name: product.title, picture }];
  return variants.map((variant) => ({ resource: variant, name: variant.displayName, picture }));
}

/** Opens the resource picker. @returns the selected products or variants; undefined if the merchant cancels */
export async function pickResources(
  { api }: AdminPage,
  { resource: kind, action, query, multiple, selected }: Extract<FromApp, { type: "pick" }>,
): Promise<Resource[] | undefined> {
  const response = await fetch(`${api}/products`, { method: "POST" });
  const offers = productsSchema.parse(await response.json()).flatMap((product) => offersOf(product, kind));
  const title = `${action === "add" ? "Add" : "Select"} ${kind}s`;
  const dialog = document.createElement("dialog");
  dialog.className = "picker";
  dialog.innerHTML = `<form method="dialog"><header>${title}</header><input type="search" aria-label="Search ${kind}s" placeholder="Search ${kind}s"><ul></ul><footer><button value="cancel">Cancel</button><button class="primary" value="select">${action === "add" ? "Add" : "Select"}</button></footer></form>`;
  const search = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const rows = offers.map(({ resource, name, picture }) => {
    const row = document.createElement("li");
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = multiple ? "checkbox" : "radio";
    input.name = "product";
    input.checked = selected.includes(resource.id);
    const image = document.createElement("img");
    image.src = picture;
    image.alt = "";
    image.loading = "lazy";
    label.append(input, image, name);
    row.append(label);
    return { resource, name, row, input };
  });
  list?.append(...rows.map(({ row }) => row));
  const filter = () => {
    const wanted = search?.value.toLowerCase() ?? "";
    for (const { name, row } of rows) row.hidden = !name.toLowerCase().includes(wanted);
  };
  if (search !== null) search.value = query;
  search?.addEventListener("input", filter);
  filter();
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const chosen = rows.filter(({ input }) => input.checked).map(({ resource }) => resource);
      resolve(dialog.returnValue === "select" ? chosen : undefined);
    });
  });
}
