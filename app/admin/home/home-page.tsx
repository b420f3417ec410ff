import { BlockStack, Button, InlineGrid } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { AlertsCard } from "./alerts-card.tsx";
import { homeNotices } from "./notices.ts";
import { AttentionCard } from "./attention-card.tsx";
import { CatalogProgress } from "./catalog-progress.tsx";
import { EarnedCard } from "./earned-card.tsx";
import type { HomeData } from "./home-data.ts";
import { RestockCard } from "./restock-card.tsx";
import { SavedCard } from "./saved-card.tsx";
import { SetupGuide } from "./setup-guide.tsx";
import { ThemeStatus } from "./theme-status.tsx";
import { editorLinks, useThemeBlocksActive } from "./theme-blocks.ts";
import { TodayCard } from "./today-card.tsx";

/** Shows what needs attention, the setup guide, and what wishlists earn and hold. */
export function HomePage(data: HomeData) {
  const { formatDate } = useShopDates();
  const show = useForm("show-setup", {});
  const { setup, days, domain, currency } = data;
  const blocksActive = useThemeBlocksActive();
  // What a store in use has comes first; before that, the way to it.
  const isInUse = data.began === true;
  const guide = setup && !setup.dismissed && <SetupGuide data={{ ...data, setup }} blocksActive={blocksActive} />;
  return (
    <AdminPage title="Home">
      <BlockStack gap="400">
        <AttentionCard notices={homeNotices(data, formatDate)} />
        {setup?.sync && <CatalogProgress {...setup.sync} />}
        {!isInUse && guide}
        <InlineGrid columns={{ xs: 1, md: 2 }} gap="400">
          <EarnedCard
            earned={data.earned}
            readsOrders={data.readsOrders}
            ordersReported={data.ordersReported}
            currency={currency}
          />
          <SavedCard saved={data.saved} people={data.people} currency={currency} storeUrl={`https://${domain}/`} />
          <RestockCard wanted={data.wanted} hasSaved={(data.saved?.items ?? 0) > 0} />
          <AlertsCard alerts={data.alerts} missingPlan={data.missingPlan} />
        </InlineGrid>
        {days ? <TodayCard days={days} /> : <LoadErrorCard title="Today" />}
        {isInUse && guide}
        <FormProblem of={[show]} />
        {setup?.dismissed === true && (
          <BlockStack gap="200" inlineAlign="center">
            <ThemeStatus blocksActive={blocksActive} editorUrl={editorLinks(domain, data.apiKey).embed} />
            <Button variant="plain" onClick={show.submit} loading={show.busy}>
              Show setup guide
            </Button>
          </BlockStack>
        )}
      </BlockStack>
    </AdminPage>
  );
}
