import { BlockStack } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { AdminPage } from "../admin-page.tsx";
import { ExportCard } from "./export-card.tsx";
import { ImportCard } from "./import-card.tsx";
import { Section } from "./section.tsx";

/** All wishlists as a file, out and in. */
export function DataPage(props: { current: ImportData | undefined; problems: readonly ProblemData[] }) {
  return (
    <AdminPage title="Export and import" back={{ label: "Settings", url: "/app/settings" }}>
      <BlockStack gap="600">
        <Section
          title="Export"
          description="Download all saved items with their owners and the time they were saved. Share links are not included."
        >
          <ExportCard />
        </Section>
        <Section
          title="Import"
          description="Add wishlists from another store or app. We check the file first, and nothing changes until you confirm."
        >
          <ImportCard {...props} />
        </Section>
      </BlockStack>
    </AdminPage>
  );
}
