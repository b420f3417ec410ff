import { BlockStack, Box, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
import { ALERT_KINDS, type AlertKind } from "../../alerts/kinds.ts";
import type { Savers } from "../../wishlists/staff/view.ts";
import { ProductImage } from "../analytics/product-name.tsx";
import { variantTitle } from "../analytics/variant-title.ts";
import { formatCount, formatNumber } from "../format.ts";
import { ALERT_LABELS } from "./alert-labels.ts";

/** A sold-out variant and the people who saved it. */
export interface SoldOut extends Savers {
  productTitle: string;
  title: string;
  variantId: string;
  imageUrl: string | null;
}

function describe({ people, customers, more, productTitle, title }: SoldOut): string {
  const variant = variantTitle(title);
  const name = variant === undefined ? productTitle : `${productTitle} (${variant})`;
  const savers = `${more ? "More than " : ""}${formatCount(people, "person", "people")}`;
  const reached =
    customers === people ? "" : ` ${formatNumber(customers)} of them are customers, whom an alert could reach.`;
  return `${savers} saved ${name}, which is sold out.${reached}`;
}

/** Offers alerts to a shop whose plan has none, with its own figures. */
export function OfferCard(props: {
  /** name of the plan that alerts need */
  requiredPlan: string;
  /** the most saved */
  soldOut: readonly SoldOut[];
  /** kinds that the shop had turned on before a downgrade */
  kinds: readonly AlertKind[];
}) {
  const { requiredPlan, soldOut, kinds } = props;
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            Tell customers when what they saved changes
          </Text>
          {soldOut.length > 0 && (
            <BlockStack as="ul" gap="200">
              {soldOut.map((variant) => (
                <li key={variant.variantId}>
                  <InlineStack gap="300" blockAlign="center" wrap={false}>
                    <ProductImage url={variant.imageUrl} />
                    <Text as="span" fontWeight="semibold" breakWord>
                      {describe(variant)}
                    </Text>
                  </InlineStack>
                </li>
              ))}
            </BlockStack>
          )}
          <Text as="p">
            {soldOut.length > 0
              ? "Alerts would tell customers who ask for it:"
              : "Alerts tell customers who ask for it:"}
          </Text>
          <List>
            {ALERT_KINDS.map((kind) => (
              <List.Item key={kind}>
                {ALERT_LABELS[kind].label}: {ALERT_LABELS[kind].help}
              </List.Item>
            ))}
          </List>
        </BlockStack>
        <Text as="p" tone="subdued">
          Alerts require the {requiredPlan} plan.
          {kinds.length > 0 && " Your alert settings are kept, and apply again from then on."}
        </Text>
        <Box>
          <Button variant="primary" url="/app/plan">
            Compare plans
          </Button>
        </Box>
      </BlockStack>
    </Card>
  );
}
