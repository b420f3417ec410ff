import { Badge, BlockStack, Box, Button, Card, Divider, InlineStack, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { MissingPlan } from "../../billing/plans.ts";
import type { ListedLink, ListView } from "../../wishlists/staff/view.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { CopyField } from "../copy-field.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { formatNumber } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import { PlanNote } from "../plan-note.tsx";

const REVOKE = "revoke-link";

function formatViews(views: number): string {
  if (views === 0) return "Never opened";
  return views === 1 ? "1 view" : `${formatNumber(views)} views`;
}

/** Shows the name that the shopper has given for people who open the link. */
function SharedBy({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <Text as="p" tone="subdued" breakWord>
      Shared by <bdi>{name}</bdi>
    </Text>
  );
}

function PastLinks({ links }: { links: readonly ListedLink[] }) {
  const { formatDateTime } = useShopDates();
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        Previous links
      </Text>
      {links.map(({ linkId, createdAt, expiresAt, revokedAt, views, sharedBy }) => (
        <BlockStack key={linkId} gap="050">
          <InlineStack align="space-between" gap="200">
            <Text as="span">Created {formatDateTime(createdAt)}</Text>
            <Text as="span" tone="subdued">
              {formatViews(views)}
            </Text>
          </InlineStack>
          <Text as="span" tone="subdued" variant="bodySm">
            {revokedAt === undefined ? `Expired ${formatDateTime(expiresAt)}` : `Revoked ${formatDateTime(revokedAt)}`}
          </Text>
          <SharedBy name={sharedBy} />
        </BlockStack>
      ))}
    </BlockStack>
  );
}

function OpenLink({ link }: { link: NonNullable<ListView["openLink"]> }) {
  const { formatDateTime } = useShopDates();
  return (
    <BlockStack gap="200">
      {link.url !== undefined && <CopyField label="Link" value={link.url} />}
      <Text as="p" tone="subdued">
        Created {formatDateTime(link.createdAt)}, expires {formatDateTime(link.expiresAt)}. {formatViews(link.views)}.
      </Text>
      <SharedBy name={link.sharedBy} />
    </BlockStack>
  );
}

/** Shows a wishlist's share links and creates or revokes one. @param missingPlan the plan that sharing needs; undefined when included */
export function ShareCard({ list, missingPlan }: { list: ListView; missingPlan: MissingPlan | undefined }) {
  const { owner, openLink, pastLinks } = list;
  const onCreated = useCallback(() => {
    shopify.toast.show("Share link created");
  }, []);
  const onRevoked = useCallback(() => {
    shopify.toast.show("Share link revoked");
  }, []);
  const share = useForm("share", {}, { onDone: onCreated });
  const unshare = useForm("unshare", {}, { onDone: onRevoked });
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Share link
          </Text>
          {missingPlan && (
            <Badge tone={missingPlan.isFrozen ? "warning" : "info"}>
              {missingPlan.isFrozen ? `${missingPlan.name} plan frozen` : `${missingPlan.name} plan`}
            </Badge>
          )}
        </InlineStack>
        <FormProblem of={[share, unshare]} />
        {openLink ? (
          <>
            <OpenLink link={openLink} />
            <Box>
              <Button tone="critical" loading={unshare.busy} onClick={() => void shopify.modal.show(REVOKE)}>
                Revoke link
              </Button>
            </Box>
          </>
        ) : (
          <>
            <Text as="p" tone="subdued">
              {owner.kind === "guest"
                ? "A guest wishlist can't be shared. Share links require a customer account."
                : "Anyone with the link can see the saved products, but not whose wishlist it is, unless the customer adds a name."}
            </Text>
            {owner.kind === "customer" && (
              <Box>
                <Button disabled={missingPlan !== undefined} loading={share.busy} onClick={share.submit}>
                  Create link
                </Button>
              </Box>
            )}
          </>
        )}
        {missingPlan && <PlanNote plan={missingPlan} feature="New links" />}
        {pastLinks.length > 0 && (
          <>
            <Divider />
            <PastLinks links={pastLinks} />
          </>
        )}
      </BlockStack>
      <ConfirmModal id={REVOKE} title="Revoke this share link?" action="Revoke link" onConfirm={unshare.submit}>
        The link stops working right away and can&apos;t be restored. You can create a new link later.
      </ConfirmModal>
    </Card>
  );
}
