import { BlockStack, Button, Card, Link, Text, TextField } from "@shopify/polaris";
import { useCallback } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { Found } from "../../wishlists/staff/view.ts";
import { useForm } from "../use-form.ts";
import type { OpenPage } from "../use-result-page.ts";
import { EnterForm } from "../enter-form.tsx";
import { CustomerResults } from "./customer-results.tsx";

function SearchHint({ canSearchByName }: { canSearchByName: boolean }) {
  const customers = (
    <Link url="shopify://admin/customers" target="_top">
      Customers
    </Link>
  );
  return (
    <Text as="p" tone="subdued" variant="bodySm">
      {canSearchByName ? (
        <>Enter a name, email, or customer ID, or paste the URL of the customer&apos;s page under {customers}.</>
      ) : (
        <>Enter a customer ID, or paste the URL of the customer&apos;s page under {customers} in Shopify.</>
      )}{" "}
      For a guest, enter the ID that their browser stores for your store under “wishlist”.
    </Text>
  );
}

/** Searches for a customer or a guest and opens their wishlist. */
export function SearchCard({ names }: { names: CustomerNames }) {
  const onDone = useCallback((found: Found, open: OpenPage) => {
    if ("wishlistId" in found) open(`/app/wishlists/${found.wishlistId}`);
  }, []);
  const form = useForm<Found>("find", { query: "" }, { onDone });
  const field = form.text("query");
  const { done: found } = form;
  return (
    <>
      <Card>
        <EnterForm onSubmit={form.submit}>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              Find a wishlist
            </Text>
            <TextField
              {...field}
              label="Customer or guest"
              error={field.error === "" ? (form.problem ?? "") : field.error}
              autoComplete="off"
              connectedRight={
                <Button submit loading={form.busy}>
                  Find
                </Button>
              }
            />
            <SearchHint canSearchByName={names.state !== "not_permitted" && names.state !== "hidden"} />
          </BlockStack>
        </EnterForm>
      </Card>
      {found && "customers" in found && <CustomerResults found={found} />}
    </>
  );
}
