/**
 * Script of pages whose forms have `data-action`: sends a form's fields to the control API as JSON, then reloads the page. An error appears
 * in `#problem`.
 */
export const CONTROL_SCRIPT = `
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-action]");
  if (!form) return;
  event.preventDefault();
  const body = {};
  for (const [name, value] of new FormData(form, event.submitter)) {
    if (value === "") continue;
    body[name] = value === "true" ? true : value === "false" ? false : value;
  }
  const payload = form.dataset.wrap ? { [form.dataset.wrap]: body } : body;
  for (const name of ["price", "compareAtPrice"]) {
    if (payload[name] === undefined) continue;
    payload[name + "Cents"] = Math.round(Number(payload[name]) * 1000) / 10;
    delete payload[name];
  }
  // An empty compare-at price removes the one that the variant has.
  if (form.elements.compareAtPrice?.value === "") payload.compareAtPriceCents = null;
  if (form.dataset.line) { payload.lines = [{ lineId: form.dataset.line, quantity: payload.quantity }]; delete payload.quantity; }
  const response = await fetch("/devstore/api/" + (event.submitter?.dataset.action ?? form.dataset.action), {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(payload),
  });
  const result = await response.json();
  if (!result.ok) { document.querySelector("#problem").textContent = result.error; return; }
  location.reload();
});
document.querySelector("#refresh")?.addEventListener("click", () => location.reload());
`;
