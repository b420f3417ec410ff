import { BlockStack, Box, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import type { DemandPoint, PriceDropDemand, VariantDemand } from "../../alerts/demand.ts";
import { formatCount, formatNumber, formatPrice } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { variantTitle } from "./variant-title.ts";

const TITLE = "Demand at a lower price";

interface PointProps {
  point: DemandPoint;
  /** customers at the lowest price, who are the most */
  most: number;
  /** whether further customers were not counted */
  more: boolean;
  needsConsent: boolean;
  currency: string | null;
}

function titleOf({ title, variantId }: VariantDemand): string {
  return title === null ? `Variant ${variantId}` : (variantTitle(title) ?? "Default variant");
}

/** The part of the customers at the lowest price. The figure beside it says the same. */
function Bar({ point: { customers }, most }: PointProps) {
  return (
    <div className="demand-bar" aria-hidden="true">
      <div style={{ width: `${most === 0 ? 0 : (100 * customers) / most}%` }} />
    </div>
  );
}

function customersAt({ point, more }: PointProps): string {
  return more ? `More than ${formatNumber(point.customers)}` : formatNumber(point.customers);
}

function Cells(props: PointProps) {
  const { point, needsConsent, currency } = props;
  return (
    <>
      <td>
        <Text as="span" fontWeight="semibold">
          {formatPrice(point.price, currency)}
        </Text>
      </td>
      <td>{`${point.percent}%`}</td>
      <td className="demand-bar-cell">
        <Bar {...props} />
      </td>
      <td className="list-table-end">{customersAt(props)}</td>
      {needsConsent && <td className="list-table-end">{formatNumber(point.consented)}</td>}
    </>
  );
}

function NarrowRow(props: PointProps) {
  const { point, needsConsent, currency } = props;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" gap="200">
          <Text as="span" fontWeight="semibold">
            {`At ${formatPrice(point.price, currency)} (${point.percent}% less)`}
          </Text>
          <Text as="span">{`${props.more ? "More than " : ""}${formatCount(point.customers, "customer")}`}</Text>
        </InlineStack>
        <Bar {...props} />
        {needsConsent && (
          <Text as="span" tone="subdued">
            {`${formatNumber(point.consented)} asked for alerts`}
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}

function columnsOf(needsConsent: boolean) {
  return [
    ...[
      { title: "Lower price" },
      { title: "Price drop" },
      { title: "Demand" },
      { title: "Customers", alignment: "end" as const },
    ],
    ...(needsConsent ? [{ title: "Asked for alerts", alignment: "end" as const }] : []),
  ];
}

/** Shows how many customers lower prices of a product's variants would reach, of those that can be bought. */
export function DemandCard(props: { productId: string; demand: PriceDropDemand; currency: string | null }) {
  const { productId, demand, currency } = props;
  const { variants, needsConsent, isOn } = demand;
  const [chosen, setChosen] = useState(variants[0]?.variantId);
  const shown = variants.find(({ variantId }) => variantId === chosen) ?? variants[0];
  const most = Math.max(0, ...(shown?.points ?? []).map(({ customers }) => customers));
  return (
    <ListCard
      title={TITLE}
      description={`Customers for whom a lower price would be a price drop, by the price at which they saved the variant. Sold-out variants are left out.${isOn ? "" : " Alerts of price drops are off, so no alert would be sent."}`}
      actions={
        shown && (
          <DownloadButton
            path="/app/analytics/demand"
            query={{ product: productId }}
            content="demand at a lower price"
          />
        )
      }
    >
      {shown === undefined ? (
        <NoRows>No variant that can be bought is in a wishlist right now.</NoRows>
      ) : (
        <>
          <Box paddingInline="400" paddingBlockEnd="400">
            <BlockStack gap="200">
              {variants.length > 1 && (
                <Box maxWidth="20rem">
                  <Select
                    label="Variant"
                    options={variants.map((variant) => ({ value: variant.variantId, label: titleOf(variant) }))}
                    value={shown.variantId}
                    onChange={setChosen}
                  />
                </Box>
              )}
              <Text as="p">{`The price today is ${formatPrice(shown.price, currency)}.`}</Text>
            </BlockStack>
          </Box>
          <ListTable
            label={TITLE}
            columns={columnsOf(needsConsent)}
            rows={shown.points.map((point) => {
              const row = { point, most, more: shown.more, needsConsent, currency };
              return { id: String(point.percent), cells: <Cells {...row} />, narrow: <NarrowRow {...row} /> };
            })}
          />
        </>
      )}
    </ListCard>
  );
}
