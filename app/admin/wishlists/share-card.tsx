import { Badge, Banner, BlockStack, Box, Button, Card, Divider, InlineStack, Link, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { ListedLink, ListView } from "../../wishlists/staff-view.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { CopyField } from "../copy-field.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { readable } from "../numbers.ts";

const REVOKE = "revoke-link";

function viewsOf(views: number): string {
  if (views === 0) return "Never opened";
  return views === 1 ? "1 view" : `${readable(views)} views`;
}

function PastLinks({ links }: { links: readonly ListedLink[] }) {
  const { minute } = useShopTime();
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        Earlier links
      </Text>
      {links.map(({ linkId, createdAt, expiresAt, revokedAt, views }) => (
        <BlockStack key={linkId} gap="050">
          <InlineStack align="space-between" gap="200">
            <Text as="span">Created {minute(createdAt)}</Text>
            <Text as="span" tone="subdued">
              {viewsOf(views)}
            </Text>
          </InlineStack>
          <Text as="span" tone="subdued" variant="bodySm">
            {revokedAt === undefined ? `Expired ${minute(expiresAt)}` : `Revoked ${minute(revokedAt)}`}
          </Text>
        </BlockStack>
      ))}
    </BlockStack>
  );
}

function OpenLink({ link }: { link: NonNullable<ListView["openLink"]> }) {
  const { minute } = useShopTime();
  return (
    <BlockStack gap="200">
      {link.url !== undefined && <CopyField label="Link" value={link.url} />}
      <Text as="p" tone="subdued">
        Created {minute(link.createdAt)}, expires {minute(link.expiresAt)}. {viewsOf(link.views)}.
      </Text>
    </BlockStack>
  );
}

/** The share link of a list: what there is, its end, and a new one where the plan has it. */
export function ShareCard({ list, sharingNeeds }: { list: ListView; sharingNeeds: string | undefined }) {
  const { owner, openLink, pastLinks } = list;
  const created = useCallback(() => {
    shopify.toast.show("Share link created");
  }, []);
  const revoked = useCallback(() => {
    shopify.toast.show("Share link revoked");
  }, []);
  const share = useForm("share", {}, { onDone: created });
  const unshare = useForm("unshare", {}, { onDone: revoked });
  const problem = share.problem ?? unshare.problem;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Share link
          </Text>
          {sharingNeeds !== undefined && <Badge tone="info">{`${sharingNeeds} plan`}</Badge>}
        </InlineStack>
        {problem !== undefined && (
          <Banner tone="critical">
            <p>{problem}</p>
          </Banner>
        )}
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
                ? "A guest wishlist can't be shared. Share links need a customer account."
                : "Anyone with the link can see the saved products, but not whose wishlist it is."}
            </Text>
            {owner.kind === "customer" && (
              <Box>
                <Button disabled={sharingNeeds !== undefined} loading={share.busy} onClick={share.submit}>
                  Create link
                </Button>
              </Box>
            )}
          </>
        )}
        {sharingNeeds !== undefined && (
          <Text as="p" tone="subdued">
            New links need the {sharingNeeds} plan. <Link url="/app/plan">Compare plans</Link>
          </Text>
        )}
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
