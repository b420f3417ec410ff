import { Banner, BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback, useState } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { Tagging } from "../../customers/tagging.ts";
import type { Event } from "../../webhooks/events/events.ts";
import {
  INDEX_EXPORT_LISTS,
  indexPath,
  toSearch,
  type ListQuery,
  type SavedView,
} from "../../wishlists/staff/list-filters.ts";
import type { ListIndexPage } from "../../wishlists/staff/view.ts";
import { AdminPage } from "../admin-page.tsx";
import { openDownload } from "../download.ts";
import { FailureText } from "../failure-text.tsx";
import { formatNumber } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { EmptyList } from "../empty-list.tsx";
import { AllowNamesCard, NamesUnavailable, NamesSettings } from "./customer-names-card.tsx";
import { WishlistFilters } from "./index-filters.tsx";
import { IndexTable } from "./index-table.tsx";
import { SearchCard } from "./search-card.tsx";
import { TagCard } from "./tag-card.tsx";
import { TaggingStatusCard } from "./tagging-status.tsx";
import { useSelection } from "./use-selection.ts";

/** Milliseconds between two looks at summaries that are being brought up to date. */
const POLL_MS = 3_000;

export interface WishlistsPageProps {
  query: ListQuery;
  /** parameters of the address with values that are none of this page's */
  ignored: readonly string[];
  /** whether the page is not the first one */
  isLaterPage: boolean;
  page: ListIndexPage;
  /** saved views of the shop */
  views: readonly SavedView[];
  /** the one that is shown; its filters and order can have been changed since */
  view: SavedView | undefined;
  /** when prices and stock were last read for all lists; undefined before the first time */
  completeAt: Date | undefined;
  /** whether lists or changes are still missing */
  isBehind: boolean;
  currency: string | null;
  names: CustomerNames;
  /** events that workflows of Shopify Flow use */
  flowEvents: readonly Event[];
  /** tags that are being added to customers, or were and are not dismissed */
  taggings: readonly Tagging[];
  /** whether the app may tag customers */
  canTag: boolean;
}

function NoLists({ query, isLaterPage }: Pick<WishlistsPageProps, "query" | "isLaterPage">) {
  if (isLaterPage) {
    return (
      <EmptyList
        glyph="heart"
        heading="No wishlists on this page"
        action={{ content: "Show the first page", url: indexPath(query) }}
      >
        <p>The wishlists of this page have changed and are on another one.</p>
      </EmptyList>
    );
  }
  return (
    <EmptyList
      glyph="heart"
      heading="No matching wishlists"
      action={{ content: "Clear filters", url: indexPath({ ...query, filters: {} }) }}
    >
      <p>Choose other filters.</p>
    </EmptyList>
  );
}

/** Says how new the data is by which lists are filtered and sorted. */
function Freshness({ completeAt, isBehind }: Pick<WishlistsPageProps, "completeAt" | "isBehind">) {
  const { formatDateTime } = useShopDates();
  const parts = [
    ...(completeAt ? [`Prices and stock as of ${formatDateTime(completeAt)}.`] : []),
    ...(isBehind ? ["The latest changes are being added."] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <Text as="p" tone="subdued" variant="bodySm">
        {parts.join(" ")}
      </Text>
    </Box>
  );
}

interface Export {
  submit: () => void;
  busy: boolean;
  problem: string | undefined;
}

/** Requests a one-time link to an export, and opens it. @param lists those to export; without any, all that match */
function useExport(query: ListQuery, lists: readonly string[]): Export {
  const onDone = useCallback(({ token }: { token: string }) => {
    openDownload(`/app/wishlists/export?token=${token}`);
    shopify.toast.show("Export started");
  }, []);
  const hidden = { query: toSearch(query).toString(), lists: lists.join(",") };
  const { submit, busy, problem, text } = useForm<{ token: string }>("export", {}, { hidden, onDone });
  const errors = [problem, text("lists").error, text("query").error];
  return { submit, busy, problem: errors.find((error) => error !== undefined && error !== "") };
}

function Index(props: WishlistsPageProps & { onTag: (lists: readonly string[]) => void }) {
  const { query, view, page, names, currency, isLaterPage } = props;
  const ofView = view ? { view: view.id } : {};
  const { lists, previous, next } = page;
  const selection = useSelection(lists.map(({ wishlistId }) => wishlistId));
  const { selected } = selection;
  const [allSelected, setAllSelected] = useState(false);
  // A change of the selection on the page is one of these rows alone.
  const isAll = allSelected && selected.length === lists.length;
  const form = useExport(query, isAll ? [] : selected);
  const bar = (
    <>
      <InlineStack gap="200" blockAlign="center">
        <Text as="span" variant="bodySm" fontWeight="medium">
          {isAll ? "All matching wishlists selected" : `${selected.length} selected`}
        </Text>
        {!isAll && selected.length === lists.length && (previous !== undefined || next !== undefined) && (
          <Button variant="plain" size="micro" onClick={() => setAllSelected(true)}>
            {`Select all that match, up to ${formatNumber(INDEX_EXPORT_LISTS)}`}
          </Button>
        )}
      </InlineStack>
      <InlineStack gap="200">
        <Button size="micro" onClick={() => props.onTag(isAll ? [] : selected)}>
          Tag customers
        </Button>
        <Button size="micro" loading={form.busy} onClick={form.submit}>
          Export
        </Button>
      </InlineStack>
    </>
  );
  return (
    <Card padding="0">
      {form.problem !== undefined && (
        <Box padding="400">
          <FailureText text={form.problem} />
        </Box>
      )}
      <WishlistFilters {...{ query, view, currency }} views={props.views} />
      {names.state === "unavailable" && (
        <Box padding="400">
          <NamesUnavailable names={names} />
        </Box>
      )}
      {lists.length === 0 ? (
        <NoLists query={query} isLaterPage={isLaterPage} />
      ) : (
        <IndexTable lists={lists} names={names} currency={currency} selection={selection} bar={bar} />
      )}
      <ListPagination
        items="wishlists"
        previous={previous === undefined ? undefined : indexPath(query, { ...ofView, before: previous })}
        next={next === undefined ? undefined : indexPath(query, { ...ofView, after: next })}
      />
    </Card>
  );
}

/** Shows the search for a wishlist and the index of all wishlists. */
export function WishlistsPage(props: WishlistsPageProps) {
  const { query, ignored, page, completeAt, isBehind, names, flowEvents, isLaterPage, taggings, canTag } = props;
  usePolling(isBehind || taggings.some(({ status }) => status === "running"), POLL_MS);
  // The lists whose customers are to be tagged; none of them for all that match.
  const [toTag, setToTag] = useState<readonly string[]>();
  const all = useExport(query, []);
  const isFirst = toSearch(query).size === 0 && !isLaterPage;
  const isEmpty = isFirst && page.lists.length === 0;
  return (
    <AdminPage
      title="Wishlists"
      actions={[
        ...(page.lists.length === 0
          ? []
          : [
              { label: "Export", onAction: all.submit, disabled: all.busy },
              { label: "Tag customers", onAction: () => setToTag([]) },
            ]),
        { label: "Staff activity", onAction: "/app/wishlists/audit" },
      ]}
      fullWidth
    >
      <BlockStack gap="400">
        <SearchCard names={names} />
        {names.state === "not_permitted" && <AllowNamesCard />}
        <FailureText text={all.problem} />
        {taggings.map((tagging) => (
          <TaggingStatusCard key={tagging.id} tagging={tagging} />
        ))}
        {toTag && <TagCard query={query} lists={toTag} isAllowed={canTag} onClose={() => setToTag(undefined)} />}
        {ignored.length > 0 && (
          <Banner tone="warning" title="Some filters were left out">
            <p>{`This address has values for ${ignored.join(", ")} that don't exist.`}</p>
          </Banner>
        )}
        {isBehind && completeAt === undefined && (
          <Banner title="Preparing the index">
            <p>Wishlists appear here as their values and stock are read. You can leave this page meanwhile.</p>
          </Banner>
        )}
        {isEmpty ? (
          <Card>
            <EmptyList
              glyph="heart"
              heading="No wishlists yet"
              action={{ content: "Add wishlist buttons to your theme", url: "/app" }}
            >
              <p>When a shopper saves a product, their wishlist appears here.</p>
            </EmptyList>
          </Card>
        ) : (
          <Index {...props} onTag={setToTag} />
        )}
        <Freshness completeAt={isEmpty ? undefined : completeAt} isBehind={isBehind} />
        {names.state !== "not_permitted" && <NamesSettings names={names} flowEvents={flowEvents} />}
      </BlockStack>
    </AdminPage>
  );
}
