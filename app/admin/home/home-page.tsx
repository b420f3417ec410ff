import { Banner, BlockStack, Button, InlineStack } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { AlertBanner } from "../alerts.tsx";
import { FlowPermissionBanner } from "../customers-permission.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { homeAlerts } from "./alerts.ts";
import { CatalogProgress } from "./catalog-progress.tsx";
import type { HomeData } from "./home-data.ts";
import { SetupGuide } from "./setup-guide.tsx";
import { TodayCard } from "./today-card.tsx";

/** Shows alerts, the setup guide and today's numbers. */
export function HomePage(data: HomeData) {
  const { formatDate } = useShopDates();
  const show = useForm("show-setup", {});
  return (
    <AdminPage title="Home">
      <BlockStack gap="400">
        <FlowPermissionBanner withheld={data.withheld} />
        {homeAlerts(data, formatDate).map((alert) => (
          <AlertBanner key={alert.key} alert={alert} />
        ))}
        {data.setup.sync && <CatalogProgress {...data.setup.sync} />}
        {!data.setup.dismissed && <SetupGuide data={data} />}
        <TodayCard days={data.days} />
        {show.problem !== undefined && (
          <Banner tone="critical">
            <p>{show.problem}</p>
          </Banner>
        )}
        {data.setup.dismissed && (
          <InlineStack align="center">
            <Button variant="plain" onClick={show.submit} loading={show.busy}>
              Show setup guide
            </Button>
          </InlineStack>
        )}
      </BlockStack>
    </AdminPage>
  );
}
