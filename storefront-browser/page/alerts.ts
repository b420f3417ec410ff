import { text } from "../shared/checked.ts";
import { TIMEOUT } from "../shared/proxy.ts";
import { find } from "./dom.ts";
import { say } from "./messages.ts";
import { Refusal } from "./requests.ts";

/**
 * Sends the choice of alerts as its form does without a script, and says what the page that responds would say.
 * @throws Refusal
 */
export async function saveAlerts(root: HTMLElement, form: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, text(value)]));
  const response = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT) }).catch(
    () => undefined,
  );
  const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
  const said = page.querySelector(".wl-outcome p")?.textContent;
  if (!said) throw new Refusal({ error: {} });
  const control = find(root, "summary:has(+ [data-wishlist-form=alerts])");
  control.classList.toggle("wl-on", form.querySelector(":checked") !== null);
  control.parentElement?.removeAttribute("open");
  control.focus();
  say(root, said);
}
