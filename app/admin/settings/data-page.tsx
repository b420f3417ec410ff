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
          description="Every saved item with its owner and the time it was saved, as of this moment. Share links are not part of it."
        >
          <ExportCard />
        </Section>
        <Section
          title="Import"
          description="A file as an export makes it: from another store, or another app. It is checked first, and nothing is changed before you say so."
        >
          <ImportCard {...props} />
        </Section>
      </BlockStack>
    </AdminPage>
  );
}
