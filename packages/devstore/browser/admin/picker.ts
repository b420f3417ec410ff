import { z } from "zod";
import type { FromApp } from "../app-bridge/messages.ts";
import type { AdminPage } from "./page.ts";

const productsSchema = z.array(
  z.looseObject({ id: z.string(), title: z.string(), images: z.array(z.object({ originalSrc: z.string() })) }),
);
type Product = z.infer<typeof productsSchema>[number];

/** Opens the resource picker. @returns the selected products; undefined if the merchant cancels */
export async function pickProducts(
  { api }: AdminPage,
  { query, multiple, selected }: Extract<FromApp, { type: "pick" }>,
): Promise<Product[] | undefined> {
  const response = await fetch(`${api}/products`, { method: "POST" });
  const products = productsSchema.parse(await response.json());
  const dialog = document.createElement("dialog");
  dialog.className = "picker";
  dialog.innerHTML = `<form method="dialog"><header>Select products</header><input type="search" aria-label="Search products" placeholder="Search products"><ul></ul><footer><button value="cancel">Cancel</button><button class="primary" value="select">Select</button></footer></form>`;
  const search = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const rows = products.map((product) => {
    const row = document.createElement("li");
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = multiple ? "checkbox" : "radio";
    input.name = "product";
    input.checked = selected.includes(product.id);
    const image = document.createElement("img");
    image.src = product.images[0]?.originalSrc ?? "";
    image.alt = "";
    image.loading = "lazy";
    label.append(input, image, product.title);
    row.append(label);
    return { product, row, input };
  });
  list?.append(...rows.map(({ row }) => row));
  const filter = () => {
    const wanted = search?.value.toLowerCase() ?? "";
    for (const { product, row } of rows) row.hidden = !product.title.toLowerCase().includes(wanted);
  };
  if (search !== null) search.value = query;
  search?.addEventListener("input", filter);
  filter();
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const chosen = rows.filter(({ input }) => input.checked).map(({ product }) => product);
      resolve(dialog.returnValue === "select" ? chosen : undefined);
    });
  });
}
