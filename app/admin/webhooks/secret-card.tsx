import { Banner, BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { WatchedWebhook } from "../../webhooks/views.ts";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { IssuedSecret } from "./issued-secret.tsx";
import type { IssuedSecretData } from "./webhook-data.ts";

/** Replaces the secret. The card makes room for the new one for as long as that is to be seen. */
export function SecretCard({ webhook, submission }: { webhook: WatchedWebhook; submission: string }) {
  const { minute } = useShopTime();
  const form = useForm<IssuedSecretData>("rotate", {}, { hidden: { submission } });
  const overlap = webhook.previousSecretValidUntil;
  if (form.done) return <IssuedSecret secret={form.done.secret} />;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Secret
        </Text>
        <Text as="p" tone="subdued">
          Each message is signed with it. After you rotate it, both the old and the new one sign for 24 hours, so that
          your receiver can change over without refusing anything.{" "}
          <Link url="/app/webhooks/receiver">Code for a receiver</Link>
        </Text>
        {overlap !== null && (
          <Text as="p">
            The secret was rotated: the one before signs as well until {minute(new Date(overlap))}. If you rotate it
            again now, that one stops at once.
          </Text>
        )}
        {form.problem !== undefined && (
          <Banner tone="critical">
            <p>{form.problem}</p>
          </Banner>
        )}
        <InlineStack align="end">
          <Button onClick={form.submit} loading={form.busy}>
            Rotate secret
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
