import { BlockStack, Box, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { DEMAND_PERCENTS, type DemandPercent, type PriceDropDemand, type VariantDemand } from "../../alerts/demand.ts";
import { roundAmount } from "../../platform/text/currency.ts";
import { formatNumber, formatPrice } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { variantTitle } from "./variant-title.ts";

interface RowProps {
  variant: VariantDemand;
  percent: DemandPercent;
  needsConsent: boolean;
  currency: string | null;
}

function titleOf({ title, variantId }: VariantDemand): string {
  return title === null ? `Variant ${variantId}` : (variantTitle(title) ?? "Default variant");
}

function loweredPrice({ variant: { price }, percent, currency }: RowProps): string {
  return formatPrice(roundAmount((Number(price) * (100 - percent)) / 100, currency), currency);
}

function describeReach({ variant: { reach, more }, percent, needsConsent }: RowProps): string {
  const { customers, consented } = reach[percent];
  const total = `${more ? "More than " : ""}${formatNumber(customers)}`;
  return needsConsent ? `${total}, of whom ${formatNumber(consented)} have asked to hear of it` : total;
}

/** Shows how many customers would hear of a lower price of a product's variants that can be bought. */
export function DemandCard({ demand, currency }: { demand: PriceDropDemand; currency: string | null }) {
  const { variants, needsConsent, isOn } = demand;
  const [percent, setPercent] = useState<DemandPercent>(10);
  return (
    <ListCard
      title="Demand at a lower price"
      description={`Customers for whom the lower price would be a price drop. Sold-out variants are left out.${isOn ? "" : " Alerts of price drops are off, so no alert would be sent."}`}
      actions={null}
    >
      {variants.length === 0 ? (
        <NoRows>No variant that can be bought is in a wishlist right now.</NoRows>
      ) : (
        <>
          <Box paddingInline="400" paddingBlockEnd="400" maxWidth="16rem">
            <Select
              label="Price drop"
              options={DEMAND_PERCENTS.map((value) => ({ value: String(value), label: `${value}%` }))}
              value={String(percent)}
              onChange={(value) => setPercent(DEMAND_PERCENTS.find((one) => String(one) === value) ?? 10)}
            />
          </Box>
          <ListTable
            label="Demand at a lower price"
            columns={[{ title: "Variant" }, { title: "New price" }, { title: "Customers" }]}
            rows={variants.map((variant) => {
              const row = { variant, percent, needsConsent, currency };
              const name = (
                <Text as="span" fontWeight="semibold" breakWord>
                  {titleOf(variant)}
                </Text>
              );
              return {
                id: variant.variantId,
                cells: (
                  <>
                    <td>{name}</td>
                    <td>{loweredPrice(row)}</td>
                    <td>{describeReach(row)}</td>
                  </>
                ),
                narrow: (
                  <Box padding="400" width="100%">
                    <BlockStack gap="050">
                      {name}
                      <Text as="span">{loweredPrice(row)}</Text>
                      <Text as="span">{describeReach(row)}</Text>
                    </BlockStack>
                  </Box>
                ),
              };
            })}
          />
        </>
      )}
    </ListCard>
  );
}
