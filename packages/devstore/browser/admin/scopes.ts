import { z } from "zod";
import type { FromApp } from "../app-bridge/messages.ts";
import { sendCall } from "./calls.ts";
import type { AdminPage } from "./page.ts";

const detailSchema = z.object({
  granted: z.array(z.string()),
  required: z.array(z.string()),
  optional: z.array(z.string()),
});
type Detail = z.infer<typeof detailSchema>;

async function post({ api }: AdminPage, decision: "grant" | "revoke", scopes: readonly string[]): Promise<Detail> {
  const response = await fetch(`${api}/scopes/${decision}`, { method: "POST", body: JSON.stringify({ scopes }) });
  if (!response.ok) throw new Error(z.object({ error: z.string() }).parse(await response.json()).error);
  return detailSchema.parse(await response.json());
}

/** Opens the modal in which the merchant grants scopes. @returns whether they do */
async function confirmScopes({ appTitle }: AdminPage, scopes: readonly string[]): Promise<boolean> {
  const dialog = document.createElement("dialog");
  dialog.className = "picker";
  dialog.ariaLabel = "Update permissions";
  const form = document.createElement("form");
  form.method = "dialog";
  const header = document.createElement("header");
  header.textContent = `${appTitle} requests permission to`;
  const list = document.createElement("ul");
  list.style.height = "auto";
  list.append(
    ...scopes.map((scope) => {
      const item = document.createElement("li");
      item.textContent = scope.replaceAll("_", " ");
      return item;
    }),
  );
  const footer = document.createElement("footer");
  footer.innerHTML = `<button value="decline">Decline</button><button class="primary" value="grant">Update permissions</button>`;
  form.append(header, list, footer);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "grant");
    });
  });
}

/** Requests optional scopes from the merchant unless they are granted already, or revokes them. */
export async function decideScopes(
  page: AdminPage,
  { decision, scopes }: Extract<FromApp, { type: "scopes" }>,
): Promise<unknown> {
  if (decision === "revoke") return { detail: await post(page, "revoke", scopes) };
  const detail = detailSchema.parse(await sendCall(page, "scopes"));
  const undeclared = scopes.filter((scope) => ![...detail.optional, ...detail.granted].includes(scope));
  if (undeclared.length > 0) throw new Error(`${undeclared.join(", ")} is not an optional scope of the app`);
  if (scopes.every((scope) => detail.granted.includes(scope))) return { result: "granted-all", detail };
  if (await confirmScopes(page, scopes)) return { result: "granted-all", detail: await post(page, "grant", scopes) };
  return { result: "declined-all", detail };
}
