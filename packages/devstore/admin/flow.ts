import { html, raw } from "hono/html";
import { flowTriggers, suggestedEmail, variableOf } from "../actions/flow.ts";
import type { Addresses } from "../foundation/addresses.ts";
import type { Workflow } from "../store/flow.ts";
import type { FlowTrigger } from "../store/flow-extensions.ts";
import type { Store } from "../store/store.ts";
import { CONTROL_SCRIPT } from "./control-script.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

const timeOf = (at: Date) => at.toISOString().slice(11, 19);

function triggerCard(store: Store, trigger: FlowTrigger): Html {
  const { handle, name, description, fields } = trigger;
  const email = suggestedEmail(trigger);
  const workflows = store.flow.workflows().filter((workflow) => workflow.trigger === handle);
  return html`<div class="card">
    <h2>${name}</h2>
    <p class="soft">${description}${description === "" ? "" : " "}<code>${handle}</code></p>
    ${workflows.map(workflowRow)}
    <details>
      <summary>New workflow: send an email</summary>
      <form data-action="create-workflow">
        <input type="hidden" name="trigger" value="${handle}" />
        <label class="field">Name<input name="name" required value="${email.name}" /></label>
        <label class="field">To<input name="to" required value="${email.to}" /></label>
        <label class="field">Subject<input name="subject" required value="${email.subject}" /></label>
        <label class="field">Text<textarea name="body" required rows="8">${email.body}</textarea></label>
        <p class="soft">
          Variables:
          ${fields.map(
            (field, index) => html`${index === 0 ? "" : ", "}<code>${variableOf(field)}</code> (${field.type})`,
          )}
        </p>
        <button class="primary" aria-label="Create and turn on a workflow for ${name}">Create and turn on</button>
      </form>
    </details>
  </div>`;
}

function workflowRow({ id, name, isOn }: Workflow): Html {
  return html`<div class="row workflow">
    <span>${name}</span>
    <strong class="${isOn ? "ok" : "soft"}">${isOn ? "On" : "Off"}</strong>
    <form data-action="turn-workflow">
      <input type="hidden" name="workflowId" value="${id}" />
      <button name="on" value="${isOn ? "false" : "true"}" aria-label="Turn ${isOn ? "off" : "on"} ${name}">
        Turn ${isOn ? "off" : "on"}
      </button>
    </form>
    <form data-action="delete-workflow">
      <input type="hidden" name="workflowId" value="${id}" />
      <button class="critical" aria-label="Delete ${name}">Delete</button>
    </form>
  </div>`;
}

function receivedTriggers(store: Store): Html {
  const received = store.flow.received();
  if (received.length === 0) return html`<p class="soft">The app has sent no trigger yet.</p>`;
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th>Time (UTC)</th>
          <th>Trigger</th>
          <th>Workflows</th>
          <th>Payload</th>
        </tr>
      </thead>
      <tbody>
        ${received.map(
          ({ at, handle, payload, runs }) =>
            html`<tr>
              <td>${timeOf(at)}</td>
              <td>${handle}</td>
              <td>
                ${runs.length === 0 ? "No workflow is on" : runs.map(({ workflow, outcome }) => html`<div>${workflow}: ${outcome}</div>`)}
              </td>
              <td class="wide"><pre>${JSON.stringify(payload, undefined, 1)}</pre></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function readTriggers(store: Store): { triggers: FlowTrigger[]; problem: string } {
  try {
    return { triggers: flowTriggers(store), problem: "" };
  } catch (error) {
    return { triggers: [], problem: error instanceof Error ? error.message : "The extensions are invalid." };
  }
}

/** Renders Shopify Flow: the app's triggers, the workflows that begin with them, and the triggers that the app has sent. */
export async function flowPage(store: Store, { storefront }: Addresses): Promise<Response> {
  const { triggers, problem } = readTriggers(store);
  const none = html`<div class="card">
    <p>${store.options.appTitle} has no Flow triggers. They are extensions of the type <code>flow_trigger</code>.</p>
  </div>`;
  const main = html`<main class="page">
      <h1>Flow</h1>
      <p id="problem" class="bad" role="alert">${problem}</p>
      ${triggers.length === 0 && problem === "" ? none : triggers.map((trigger) => triggerCard(store, trigger))}
      <div class="card">
        <div class="row">
          <h2>Received triggers</h2>
          <a class="button right" href="${adminPaths(store).home}/inbox">Open inbox</a>
          <button id="refresh" type="button">Refresh</button>
        </div>
        ${receivedTriggers(store)}
      </div>
    </main>
    <script>
      ${raw(CONTROL_SCRIPT)};
    </script>`;
  return adminPage(store, storefront, "Flow", main);
}
