import { html } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import { gid } from "../foundation/gid.ts";
import type { RequestContext } from "../foundation/request-context.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import { adminPage } from "./layout.ts";

const INTERVALS = { EVERY_30_DAYS: "every 30 days", ANNUAL: "every year" };

/** Renders the page on which a merchant approves or declines a charge. */
export async function confirmationPage(store: Store, addresses: Addresses, id: string): Promise<Response> {
  const subscription = store.subscriptions.byId(id);
  if (subscription === undefined) return new Response("Unknown charge", { status: 404 });
  const { name, status, test, trialDays, lineItems } = subscription;
  const main = html`<main class="page narrow">
    <h1>Approve subscription</h1>
    <div class="card">
      <h2>${store.options.appTitle}: ${name}</h2>
      ${lineItems.map(({ price, interval }) => html`<p>${Number(price.amount).toFixed(2)} ${price.currencyCode} ${INTERVALS[interval]}</p>`)}
      ${trialDays > 0 ? html`<p>Free for the first ${trialDays} days.</p>` : ""}
      ${test ? html`<p class="soft">This is a test charge: nothing will be billed.</p>` : ""}
      ${
        status === "PENDING"
          ? html`<form class="row" method="post">
              <button class="primary" name="decision" value="approve">Approve</button>
              <button name="decision" value="decline">Decline</button>
            </form>`
          : html`<p>This charge is ${status.toLowerCase()} already.</p>`
      }
    </div>
  </main>`;
  return adminPage(store, addresses.storefront, "Approve subscription", main);
}

/** Applies the merchant's decision and redirects to the app's return URL, with `charge_id` if approved. */
export async function decideCharge(
  store: Store,
  events: StoreEvents,
  context: RequestContext,
  id: string,
  request: Request,
): Promise<Response> {
  const subscription = store.subscriptions.byId(id);
  if (subscription === undefined) return new Response("Unknown charge", { status: 404 });
  const decision = (await request.formData()).get("decision");
  if (decision !== "approve" && decision !== "decline")
    return new Response("Approve it or decline it", { status: 400 });
  const changed = store.subscriptions[decision](id);
  events.subscriptionsChanged(changed);
  store.journal.record({ kind: "billing", summary: `${gid("AppSubscription", id)} is ${subscription.status}` });
  const target = new URL(subscription.returnUrl);
  if (decision === "approve") target.searchParams.set("charge_id", id);
  return new Response(null, { status: 303, headers: { location: context.translation.toLocal(target.href) } });
}
