import { useNavigate } from "@remix-run/react";
import { BlockStack, Button, Card, Link, Text, TextField } from "@shopify/polaris";
import { useCallback } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { Found } from "../../wishlists/staff-view.ts";
import { useForm } from "../form.ts";
import { FoundCustomers } from "./found-customers.tsx";

function Hint({ byName }: { byName: boolean }) {
  const customers = (
    <Link url="shopify://admin/customers" target="_top">
      Customers
    </Link>
  );
  return (
    <Text as="p" tone="subdued" variant="bodySm">
      {byName ? (
        <>Enter a name, an email, or a customer ID, or paste the address of a page under {customers}.</>
      ) : (
        <>Paste the address of the customer&apos;s page in Shopify, which is under {customers}, or the ID at its end.</>
      )}{" "}
      A guest&apos;s ID is in their browser&apos;s storage for your store, under “wishlist”.
    </Text>
  );
}

/** Leads to the list of a customer or a guest. */
export function FindCard({ names }: { names: CustomerNames }) {
  const navigate = useNavigate();
  const open = useCallback(
    (found: Found) => {
      if ("wishlistId" in found) navigate(`/app/wishlists/${found.wishlistId}`);
    },
    [navigate],
  );
  const form = useForm<Found>("find", { who: "" }, { onDone: open });
  const field = form.text("who");
  const { done: found } = form;
  return (
    <>
      <Card>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
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
            <Hint byName={names.state !== "not_permitted"} />
          </BlockStack>
        </form>
      </Card>
      {found && "customers" in found && <FoundCustomers found={found} />}
    </>
  );
}
