import { Liquid } from "liquidjs";
import { now } from "../../../app/platform/clock.server.ts";
import { CONFIGURED_APP_URL } from "../foundation/options.ts";
import { hasScope } from "../foundation/scopes.ts";
import { webhookSignature } from "../foundation/signatures.ts";
import type { Workflow } from "../store/flow.ts";
import { readFlowExtensions, type FlowField, type FlowTrigger } from "../store/flow-extensions.ts";
import type { Store } from "../store/store.ts";

/** Most bytes of a trigger's payload. */
const MAXIMUM_PAYLOAD_BYTES = 50_000;
/** Shopify Flow waits this long for the response to a lifecycle callback. */
const CALLBACK_TIMEOUT_MS = 5_000;

const liquid = new Liquid({ ownPropertyOnly: true });

/** A change of a workflow that Flow refuses. */
class FlowError extends Error {}

export function flowTriggers({ options }: Store): FlowTrigger[] {
  return readFlowExtensions(options.extensions).triggers;
}

/** Returns a field's name in a workflow's texts: Flow offers "Product title" as productTitle. */
export function variableOf({ property, type }: FlowField): string {
  if (type.endsWith("_reference")) return type.replace("_reference", "");
  const [first = "", ...rest] = property.trim().split(/\s+/);
  const capitalized = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return first.charAt(0).toLowerCase() + first.slice(1) + capitalized.join("");
}

/** Returns the texts of a new workflow, which use every field of its trigger. */
export function suggestedEmail({ name, fields }: FlowTrigger): Pick<Workflow, "name" | "to" | "subject" | "body"> {
  const lines = fields.flatMap((field) => {
    if (field.type === "customer_reference") return [];
    const variable = variableOf(field);
    if (field.type === "product_reference") return [`Product: {{ ${variable}.title }}`];
    if (field.type === "order_reference") return [`Order: {{ ${variable}.name }}`];
    return [`${field.property}: {{ ${variable} }}`];
  });
  const hasCustomer = fields.some(({ type }) => type === "customer_reference");
  return {
    name: `Email on: ${name}`,
    to: hasCustomer ? "{{ customer.email }}" : "{{ shop.email }}",
    subject: name,
    body: [hasCustomer ? "Hello {{ customer.firstName }}," : "Hello,", "", ...lines, "", "{{ shop.name }}"].join("\n"),
  };
}

/** Returns the path of an address of the app, and any other address as it is. */
function toTarget(address: string, appUrl: string): string {
  const { origin, pathname, search } = new URL(address);
  return origin === appUrl || origin === CONFIGURED_APP_URL ? pathname + search : address;
}

/** Sends a lifecycle callback to the app, with the trigger's name as in Shopify's example. @throws FlowError if the app does not accept it */
async function sendLifecycleCallback(store: Store, name: string, hasEnabledFlow: boolean): Promise<void> {
  const { shop, options, app, journal } = store;
  const body = JSON.stringify({
    flow_trigger_definition_id: name,
    has_enabled_flow: hasEnabledFlow,
    shop_id: Number(shop.id),
    shopify_domain: shop.domain,
    timestamp: now().toISOString(),
  });
  for (const url of readFlowExtensions(options.extensions).lifecycleCallbacks) {
    const headers = new Headers({
      "content-type": "application/json",
      host: new URL(options.appUrl).host,
      "x-shopify-hmac-sha256": webhookSignature(body, options.apiSecret),
      "x-shopify-shop-domain": shop.domain,
    });
    const summary = `lifecycle callback of ${name}: ${hasEnabledFlow ? "in use" : "not in use"}`;
    try {
      const { status } = await app.send(toTarget(url, options.appUrl), {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
      });
      journal.record({ kind: "flow", summary, status });
      if (status < 200 || status >= 300)
        throw new FlowError(`The app responded with ${status} to the lifecycle callback.`);
    } catch (error) {
      if (error instanceof FlowError) throw error;
      const reason = error instanceof Error ? error.message : "no response";
      journal.record({ kind: "flow", summary: `${summary}: ${reason}` });
      throw new FlowError(`The app did not respond to the lifecycle callback: ${reason}`, { cause: error });
    }
  }
}

function usesCustomer({ fields }: FlowTrigger): boolean {
  return fields.some(({ type }) => type === "customer_reference");
}

/**
 * Turns a workflow on or off and tells the app whether its trigger is in use.
 * @throws FlowError if it can't be turned on: the app lacks the scope of the trigger's fields, or does not accept the lifecycle callback
 */
export async function turnWorkflow(store: Store, workflow: Workflow, on: boolean): Promise<void> {
  if (workflow.isOn === on) return;
  const trigger = flowTriggers(store).find(({ handle }) => handle === workflow.trigger);
  if (on) {
    if (trigger === undefined) throw new FlowError(`The app has no trigger ${workflow.trigger}.`);
    if (!store.installation.installed) throw new FlowError("The app is not installed.");
    if (usesCustomer(trigger) && !hasScope(store.installation.scopes, "read_customers")) {
      throw new FlowError("The trigger names a customer, for which the app needs the scope read_customers.");
    }
    await sendLifecycleCallback(store, trigger.name, true);
    workflow.isOn = true;
    return;
  }
  workflow.isOn = false;
  const isUsed = store.flow.workflows().some((other) => other.isOn && other.trigger === workflow.trigger);
  // Turning a workflow off does not depend on the app: the journal has the response.
  await sendLifecycleCallback(store, trigger?.name ?? workflow.trigger, isUsed).catch(() => undefined);
}

function typeError({ property, type }: FlowField, value: unknown): string | undefined {
  const problem = (name: string) => `Type error for field '${property}': ${JSON.stringify(value)} is not a ${name}.`;
  if (type.endsWith("_reference")) return Number.isSafeInteger(value) ? undefined : problem("Int");
  if (type === "boolean") return typeof value === "boolean" ? undefined : problem("Boolean");
  if (type === "number_decimal") return typeof value === "number" ? undefined : problem("Float");
  if (typeof value !== "string") return problem("String");
  if (type === "url" && !URL.canParse(value)) return problem("URL");
  return undefined;
}

/** Returns why Flow refuses a payload, one sentence per property. */
function payloadProblems({ fields }: FlowTrigger, payload: Readonly<Record<string, unknown>>): string[] {
  const known = new Map(fields.map((field) => [field.property, field]));
  const unknown = Object.keys(payload).filter((property) => !known.has(property));
  return [
    ...unknown.map((property) => `Invalid field: '${property}'.`),
    ...fields.flatMap((field) => {
      const value = payload[field.property];
      if (value !== undefined) return typeError(field, value) ?? [];
      return field.required ? [`Required field missing: '${field.property}'.`] : [];
    }),
  ];
}

/** Returns the data of a workflow's texts: the payload's fields, and the records that its references name. */
function workflowData(store: Store, trigger: FlowTrigger, payload: Readonly<Record<string, unknown>>) {
  const { shop, customers, catalog, orders } = store;
  const data: Record<string, unknown> = { shop: { name: shop.name, email: shop.email, currencyCode: shop.currency } };
  for (const field of trigger.fields) {
    const value = payload[field.property];
    const id = String(value);
    const found =
      field.type === "customer_reference"
        ? customers.byId(id)
        : field.type === "product_reference"
          ? catalog.byId(id)
          : field.type === "order_reference"
            ? orders.byId(id)
            : value;
    data[variableOf(field)] = found ?? null;
  }
  return data;
}

function run(store: Store, workflow: Workflow, data: object): string {
  try {
    const [to, subject, body] = [workflow.to, workflow.subject, workflow.body].map((text) =>
      String(liquid.parseAndRenderSync(text, data)).trim(),
    );
    if (!to) return "failed: the email has no recipient, because the store does not know the customer";
    store.flow.send({ workflow: workflow.name, to, subject: subject ?? "", body: body ?? "" });
    return `sent an email to ${to}`;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : "unknown"}`;
  }
}

/**
 * Starts the workflows that are on and begin with the trigger.
 * @returns why Flow refuses the request, as in `userErrors`; undefined if it accepted it
 */
export function receiveTrigger(
  store: Store,
  handle: string,
  payload: Readonly<Record<string, unknown>>,
): string | undefined {
  const refuse = (problems: readonly string[]) => `Errors validating schema:\n  ${problems.join("\n  ")}\n`;
  if (Buffer.byteLength(JSON.stringify(payload)) > MAXIMUM_PAYLOAD_BYTES) {
    return refuse([`Properties size exceeds the limit of ${MAXIMUM_PAYLOAD_BYTES} bytes.`]);
  }
  const trigger = flowTriggers(store).find((one) => one.handle === handle);
  if (trigger === undefined) return refuse([`Invalid handle '${handle}'.`]);
  const problems = payloadProblems(trigger, payload);
  if (problems.length > 0) return refuse(problems);
  const data = workflowData(store, trigger, payload);
  const started = store.flow.workflows().filter((workflow) => workflow.isOn && workflow.trigger === handle);
  const runs = started.map((workflow) => ({ workflow: workflow.name, outcome: run(store, workflow, data) }));
  store.flow.recordTrigger({ handle, payload, runs });
  return undefined;
}
