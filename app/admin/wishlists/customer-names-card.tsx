import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { AllowCustomersButton, describeWorkflows, useWithdrawCustomers } from "../customers-permission.tsx";
import { FailureText } from "../failure-text.tsx";
import { useForm } from "../use-form.ts";

const WITHDRAW_MODAL = "withdraw-customers";

/** Requests the permission to read customers. */
export function AllowNamesCard() {
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Customer names
          </Text>
          <Text as="p" tone="subdued">
            Customers are listed by ID. Allow this app to read customers to see names and emails, to search by them, to
            send them with alerts to your webhooks, and to start workflows in Shopify Flow. The app reads them from
            Shopify each time and doesn&apos;t store them.
          </Text>
        </BlockStack>
        <AllowCustomersButton />
      </BlockStack>
    </Card>
  );
}

/** Withdraws the permission to read customers, after a question that names what stops. */
function WithdrawPermission({ flowEvents }: { flowEvents: readonly Event[] }) {
  const { busy, failure, run } = useWithdrawCustomers();
  return (
    <>
      <Button variant="plain" tone="critical" loading={busy} onClick={() => void shopify.modal.show(WITHDRAW_MODAL)}>
        Withdraw access to customers
      </Button>
      <FailureText text={failure} />
      <ConfirmModal id={WITHDRAW_MODAL} title="Withdraw access to customers?" action="Withdraw access" onConfirm={run}>
        {flowEvents.length === 0
          ? "Customers are listed by ID, can't be searched by name or email, and have neither in webhooks. Emails to customers stop, and Shopify Flow can't start workflows with triggers of this app."
          : `This stops emails to customers and ${describeWorkflows(flowEvents)}. Alerts that nothing else receives are not sent. Customers are listed by ID, can't be searched by name or email, and have neither in webhooks.`}{" "}
        To only hide names on these pages, choose Hide customer names instead.
      </ConfirmModal>
    </>
  );
}

/** Shows or hides names, which changes nothing else, and withdraws the permission. @param flowEvents events that workflows use */
export function NamesSettings({ names, flowEvents }: { names: CustomerNames; flowEvents: readonly Event[] }) {
  const isHidden = names.state === "hidden";
  const form = useForm(isHidden ? "show-names" : "hide-names", {});
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <BlockStack gap="200">
        <Text as="p" tone="subdued" variant="bodySm">
          {isHidden
            ? "Customer names are hidden in this app for all staff. Workflows and alerts are not affected."
            : "Names and emails come from Shopify. This app doesn't store them, and uses them in emails to customers and in alerts to your webhooks."}
        </Text>
        <InlineStack gap="400" blockAlign="center">
          <Button variant="plain" loading={form.busy} onClick={form.submit}>
            {isHidden ? "Show customer names" : "Hide customer names"}
          </Button>
          <WithdrawPermission flowEvents={flowEvents} />
        </InlineStack>
        <FailureText text={form.problem} />
      </BlockStack>
    </Box>
  );
}

/** Explains why customers are listed by ID although the permission is granted. */
export function NamesUnavailable({ names: { state } }: { names: CustomerNames }) {
  if (state !== "unavailable") return null;
  return (
    <Text as="p" tone="subdued">
      Shopify didn&apos;t return customer names. Customers are listed by ID. Reload the page to try again.
    </Text>
  );
}
