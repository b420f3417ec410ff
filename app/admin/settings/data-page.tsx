import { BlockStack } from "@shopify/polaris";
import type { ImportData, ProblemData } from "../../wishlists/transfer/import-data.ts";
import { AdminPage } from "../admin-page.tsx";
import { EarlierImportsCard } from "./earlier-imports-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { ImportCard } from "./import-card.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** Exports and imports all wishlists as files. */
export function DataPage(props: {
  current: ImportData | undefined;
  problems: readonly ProblemData[];
  /** the imports before the current one, newest first */
  earlier: readonly ImportData[];
}) {
  const { current, problems, earlier } = props;
  return (
    <AdminPage title="Export and import" back={{ label: "Settings", url: "/app/settings" }}>
      <BlockStack gap="600">
        <SettingsSection
          title="Export"
          description="Download all lists with their owners and saved items. Share links and history are not included."
        >
          <ExportCard />
        </SettingsSection>
        <SettingsSection
          title="Import"
          description="Add wishlists from another store or app. We check the file first, and nothing changes until you confirm."
        >
          <ImportCard current={current} problems={problems} />
          {earlier.length > 0 && <EarlierImportsCard imports={earlier} />}
        </SettingsSection>
      </BlockStack>
    </AdminPage>
  );
}
