import { useNavigate } from "@remix-run/react";
import { BlockStack, Button, Card, Link, Text, TextField } from "@shopify/polaris";
import { useCallback } from "react";
import { useForm } from "../form.ts";

/** Leads to the list of a customer or a guest. */
export function FindCard({ domain }: { domain: string }) {
  const navigate = useNavigate();
  const open = useCallback((wishlistId: string) => navigate(`/app/wishlists/${wishlistId}`), [navigate]);
  const form = useForm<string>("find", { who: "" }, { onDone: open });
  const field = form.text("who");
  return (
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
            placeholder="7012503486663"
            autoComplete="off"
            connectedRight={
              <Button submit loading={form.busy}>
                Find
              </Button>
            }
          />
          <Text as="p" tone="subdued" variant="bodySm">
            Paste the address of the customer&apos;s page in Shopify, which is under{" "}
            <Link url={`https://${domain}/admin/customers`} target="_top">
              Customers
            </Link>
            , or the id at its end. A guest&apos;s id is in their browser&apos;s storage for your store, under
            “wishlist”.
          </Text>
        </BlockStack>
      </form>
    </Card>
  );
}
