import { Banner, BlockStack, Button, InlineStack } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { concerns } from "./attention.ts";
import { CatalogProgress } from "./catalog-progress.tsx";
import type { HomeData } from "./home-data.ts";
import { SetupGuide } from "./setup-guide.tsx";
import { Today } from "./today.tsx";

/** The setup guide, what needs attention, and today's numbers. */
export function HomePage(data: HomeData) {
  const { day } = useShopTime();
  const show = useForm("show-setup", {});
  return (
    <AdminPage title="Home">
      <BlockStack gap="400">
        {concerns(data, day).map(({ key, tone, title, says, url, action }) => (
          <Banner key={key} tone={tone} title={title} action={{ content: action, url }}>
            <p>{says}</p>
          </Banner>
        ))}
        {data.setup.sync && <CatalogProgress {...data.setup.sync} />}
        {!data.setup.dismissed && <SetupGuide data={data} />}
        <Today days={data.days} />
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
