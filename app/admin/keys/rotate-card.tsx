import { Banner, BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useForm } from "../form.ts";
import { IssuedKey } from "./issued-key.tsx";
import type { IssuedKeyData } from "./key-data.ts";

const OVERLAPS = [
  { label: "a day", value: "24" },
  { label: "an hour", value: "1" },
  { label: "a week", value: "168" },
  { label: "no time: it stops at once", value: "0" },
];

/** Replaces a key by another with the same name and scopes. The form stays while the successor's secret is to be seen. */
export function RotateCard({ submission, origin, open }: { submission: string; origin: string; open: boolean }) {
  const form = useForm<IssuedKeyData>("rotate", { overlap: "24" }, { hidden: { submission } });
  if (form.done) return <IssuedKey issued={form.done} origin={origin} />;
  if (!open) return null;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Rotate
        </Text>
        <Text as="p" tone="subdued">
          You get a new key and secret with the same name and rights. This one goes on until everything has changed
          over.
        </Text>
        {form.problem !== undefined && (
          <Banner tone="critical">
            <p>{form.problem}</p>
          </Banner>
        )}
        <Select {...form.text("overlap")} label="The old key goes on for" options={OVERLAPS} />
        <InlineStack align="end">
          <Button onClick={form.submit} loading={form.busy}>
            Rotate key
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
