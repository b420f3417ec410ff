import { html, raw } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import type { Klaviyo, KlaviyoEvent } from "../store/klaviyo.ts";
import type { Store } from "../store/store.ts";
import { CONTROL_SCRIPT } from "./control-script.ts";
import { adminPage, type Html } from "./layout.ts";

/** How many events and requests the page shows. */
const SHOWN = 100;

const timeOf = (at: Date) => at.toISOString().slice(11, 19);

function table(heads: readonly string[], rows: readonly Html[], label: string): Html {
  return html`<div class="scroll">
    <table aria-label="${label}">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function keyCard({ key, scopes, organization }: Klaviyo): Html {
  const canWrite = scopes.has("events:write");
  return html`<div class="card">
    <h2>${organization}</h2>
    <p>Private key: <code>${key}</code></p>
    <div class="row">
      <form data-action="klaviyo-revoke"><button class="critical">Revoke key and make another</button></form>
      <form data-action="klaviyo-scope">
        <button name="on" value="${canWrite ? "false" : "true"}">
          ${canWrite ? "Take the scope events:write from the key" : "Give the scope events:write to the key"}
        </button>
      </form>
    </div>
  </div>`;
}

/** A flow that begins with a metric starts for each of its events that is not backfilled; it can email profiles with an address. */
function flows(events: readonly KlaviyoEvent[]): Html[] {
  const byMetric = Map.groupBy(events, ({ metric }) => metric);
  return [...byMetric].map(([metric, all]) => {
    const starting = all.filter(({ isBackfill }) => !isBackfill);
    return html`<tr>
      <td class="wide">${metric}</td>
      <td>${all.length}</td>
      <td>${starting.length}</td>
      <td>${starting.filter(({ profile }) => profile.email !== undefined).length}</td>
    </tr>`;
  });
}

/** Renders the marketing account: its key, the profiles and events that the app has sent, and the flows that they would start. */
export async function klaviyoPage(store: Store, { storefront }: Addresses): Promise<Response> {
  const { klaviyo } = store;
  const [events, profiles, requests] = [klaviyo.events(), klaviyo.profiles(), klaviyo.requests()];
  const none = html`<div class="card"><p>No events yet. Connect the app with the private key above.</p></div>`;
  const content = html`<div class="card">
      <h2>Flows that would start</h2>
      ${table(["Metric", "Events", "Starts", "With email address"], flows(events), "Flows that would start")}
    </div>
    <div class="card">
      <h2>Events</h2>
      ${table(
        ["Time (UTC)", "Metric", "Profile", "Value", "Properties"],
        events.slice(0, SHOWN).map(
          ({ time, metric, profile, value, currency, uniqueId, properties }) =>
            html`<tr>
              <td>${timeOf(time)}</td>
              <td>${metric}</td>
              <td>${profile.email ?? profile.externalId ?? profile.id}</td>
              <td>${value === undefined ? "" : `${value} ${currency ?? ""}`}</td>
              <td class="wide"><pre>${JSON.stringify({ unique_id: uniqueId, ...properties }, undefined, 1)}</pre></td>
            </tr>`,
        ),
        "Events",
      )}
    </div>
    <div class="card">
      <h2>Profiles</h2>
      ${table(
        ["Email", "External id", "Attributes"],
        profiles.slice(-SHOWN).map(
          ({ email, externalId, attributes }) =>
            html`<tr>
              <td>${email ?? ""}</td>
              <td>${externalId ?? ""}</td>
              <td class="wide"><pre>${JSON.stringify(attributes, undefined, 1)}</pre></td>
            </tr>`,
        ),
        "Profiles",
      )}
    </div>`;
  const main = html`<main class="page">
      <div class="row">
        <h1>Klaviyo</h1>
        <button id="refresh" type="button" class="right">Refresh</button>
      </div>
      <p id="problem" class="bad" role="alert"></p>
      ${keyCard(klaviyo)} ${events.length === 0 ? none : content}
      ${
        requests.length === 0
          ? ""
          : html`<div class="card">
              <h2>Requests</h2>
              ${table(
                ["Request", "Response"],
                requests.slice(0, SHOWN).map(
                  ({ method, path, status }) =>
                    html`<tr>
                      <td class="wide">${method} ${path}</td>
                      <td class="${status < 400 ? "ok" : "bad"}">${status}</td>
                    </tr>`,
                ),
                "Requests",
              )}
            </div>`
      }
    </main>
    <script>
      ${raw(CONTROL_SCRIPT)};
    </script>`;
  return adminPage(store, storefront, "Klaviyo", main);
}
