import { html } from "hono/html";
import type { Addresses } from "../addresses.ts";
import { adminPage } from "../admin/layout.ts";
import { gid } from "../graphql/ids.ts";
import type { Arrival } from "../http/visit.ts";
import type { Store } from "../store/store.ts";
import type { Hooks } from "../webhooks/hooks.ts";

const INTERVALS = { EVERY_30_DAYS: "every 30 days", ANNUAL: "every year" };

/** The page on which a merchant approves what the app wants to charge. */
export async function confirmationPage(store: Store, addresses: Addresses, id: string): Promise<Response> {
  const subscription = store.subscriptions.byId(id);
  if (subscription === undefined) return new Response("There is no such charge", { status: 404 });
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

/** Back to where the app asked for, with `charge_id`, whichever way the merchant decided. */
export async function decide(
  store: Store,
  hooks: Hooks,
  arrival: Arrival,
  id: string,
  request: Request,
): Promise<Response> {
  const subscription = store.subscriptions.byId(id);
  if (subscription === undefined) return new Response("There is no such charge", { status: 404 });
  const decision = (await request.formData()).get("decision");
  if (decision !== "approve" && decision !== "decline")
    return new Response("Approve it or decline it", { status: 400 });
  const changed = store.subscriptions[decision](id);
  hooks.subscriptionsChanged(changed);
  store.journal.add({ kind: "billing", what: `${gid("AppSubscription", id)} is ${subscription.status}` });
  const target = new URL(subscription.returnUrl);
  if (decision === "approve") target.searchParams.set("charge_id", id);
  return new Response(null, { status: 303, headers: { location: arrival.translation.toLocal(target.href) } });
}
