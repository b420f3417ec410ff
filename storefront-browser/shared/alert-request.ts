import { fields, list, text, type Fields } from "./checked.ts";

/** Returns the body of a request for an alert. The fields of a form without a script have the same names, in snake case. */
export function requestOf(form: HTMLFormElement): Fields {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [
      name.replace(/_./g, ([, initial = ""]) => initial.toUpperCase()),
      value,
    ]),
  );
}

/** Returns the field that the browser finds invalid or, after a failure of the service, the one that it is about. */
export function wrongField(form: HTMLFormElement, error?: Fields): HTMLInputElement | null {
  const path = text(fields(list(error?.["details"])[0])["path"]);
  const name = /email$|price$/i.exec(path)?.[0];
  return form.querySelector(error ? `[name$="${name ?? "?"}" i]` : "input:invalid");
}

/** Shows below a field what is wrong with it, and moves the focus there; without a field takes that away. */
export function showWrong(form: HTMLFormElement, wrong?: HTMLInputElement): void {
  const error = form.querySelector("[data-wishlist-error]");
  if (error) {
    error.textContent = wrong?.dataset["wrong"] ?? "";
    wrong?.closest("label")?.after(error);
  }
  for (const field of form.querySelectorAll("input")) field.ariaInvalid = field === wrong ? "true" : null;
  wrong?.focus();
}
