import { BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import type { ProblemData } from "../../wishlists/transfer/import-data.ts";
import { downloadFile } from "../download.ts";
import { FailureText } from "../failure-text.tsx";
import { formatNumber } from "../format.ts";

/** Lists the first problems of a file, with a download of all of them. */
export function ImportProblems({ importId, problems }: { importId: string; problems: readonly ProblemData[] }) {
  const [downloading, setDownloading] = useState(false);
  const [failed, setFailed] = useState(false);
  if (problems.length === 0) return null;
  const save = async (): Promise<void> => {
    setDownloading(true);
    setFailed(!(await downloadFile(`/app/settings/data/report?import=${importId}`)));
    setDownloading(false);
  };
  return (
    <BlockStack gap="200">
      <InlineStack align="space-between" blockAlign="center" gap="200">
        <Text as="h3" variant="headingSm">
          Problems
        </Text>
        <Button onClick={() => void save()} loading={downloading} variant="plain">
          Download report
        </Button>
      </InlineStack>
      <FailureText text={failed ? "The report couldn't be downloaded. Try again in a moment." : undefined} />
      <Box background="bg-surface-secondary" padding="300" borderRadius="200">
        <div style={{ maxHeight: "16rem", overflow: "auto" }} tabIndex={0} role="region" aria-label="Problems">
          <ol style={{ margin: 0, padding: 0, listStyle: "none" }}>
            {problems.map(({ line, field, problem }) => (
              <li key={`${line} ${field}`}>
                <b>Line {formatNumber(line)}</b>
                {field === "" ? " " : `, ${field}: `}
                {problem}
              </li>
            ))}
          </ol>
        </div>
      </Box>
    </BlockStack>
  );
}
