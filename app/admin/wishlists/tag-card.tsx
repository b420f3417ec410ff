import { BlockStack, Button, Card, InlineStack, Text, TextField } from "@shopify/polaris";
import { useCallback, useEffect, useRef } from "react";
import { TAG_LENGTH } from "../../customers/tagging.ts";
import { INDEX_EXPORT_LISTS, toSearch, type ListQuery } from "../../wishlists/staff/list-filters.ts";
import { AllowTagsButton } from "../customer-tags-permission.tsx";
import { EnterForm } from "../enter-form.tsx";
import { FailureText } from "../failure-text.tsx";
import { FormProblem } from "../form-problem.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { useForm } from "../use-form.ts";

type Outcome = { state: "begun" } | { state: "not_permitted" };

/** Adds a tag to the customers of wishlists in Shopify. @param lists those wishlists; without any, all that match `query` */
export function TagCard(props: {
  query: ListQuery;
  lists: readonly string[];
  /** whether the app may tag customers */
  isAllowed: boolean;
  onClose: () => void;
}) {
  const { query, lists, isAllowed, onClose } = props;
  const onDone = useCallback(
    ({ state }: Outcome) => {
      if (state === "not_permitted") return;
      shopify.toast.show("Adding the tag");
      onClose();
    },
    [onClose],
  );
  // The button is below the card, which has no field to focus while the permission is missing.
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAllowed) card.current?.focus();
  }, [isAllowed]);
  const hidden = { query: toSearch(query).toString(), lists: lists.join(",") };
  const form = useForm<Outcome>("tag", { tag: "" }, { hidden, onDone });
  const whose =
    lists.length === 0
      ? `all matching wishlists, up to ${formatNumber(INDEX_EXPORT_LISTS)}`
      : formatCount(lists.length, "selected wishlist");
  return (
    <div ref={card} tabIndex={-1} role="group" aria-label="Tag customers" style={{ outline: "none" }}>
      <Card>
        <EnterForm onSubmit={form.submit}>
          <BlockStack gap="300">
            <BlockStack gap="100">
              <Text as="h2" variant="headingMd">
                Tag customers
              </Text>
              <Text as="p" tone="subdued">
                {`Shopify adds the tag to the customers of ${whose}. Guests have no account and get none.`}
              </Text>
            </BlockStack>
            <FormProblem of={[form]} title="No customer was tagged" />
            <FailureText text={[form.text("lists").error, form.text("query").error].find((error) => error !== "")} />
            {!isAllowed ? (
              <>
                <Text as="p">
                  To tag customers, the app needs your permission to change them. It adds tags that you choose here, and
                  changes nothing else.
                </Text>
                <AllowTagsButton />
              </>
            ) : (
              <TextField
                {...form.text("tag")}
                label="Tag"
                placeholder="wishlist"
                maxLength={TAG_LENGTH}
                autoComplete="off"
                autoFocus
              />
            )}
            <InlineStack gap="200" align="end">
              <Button onClick={onClose}>Cancel</Button>
              {isAllowed && (
                <Button variant="primary" loading={form.busy} onClick={form.submit}>
                  Add tag
                </Button>
              )}
            </InlineStack>
          </BlockStack>
        </EnterForm>
      </Card>
    </div>
  );
}
