import { BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import type { ProblemData } from "../../wishlists/transfer/import-data.ts";
import { download } from "../download.ts";
import { readable } from "../numbers.ts";

/** The first problems of a file, and the way to all of them. */
export function Problems({ importId, problems }: { importId: string; problems: readonly ProblemData[] }) {
  const [fetching, setFetching] = useState(false);
  const [failed, setFailed] = useState(false);
  if (problems.length === 0) return null;
  const save = async (): Promise<void> => {
    setFetching(true);
    setFailed(!(await download(`/app/settings/data/report?import=${importId}`)));
    setFetching(false);
  };
  return (
    <BlockStack gap="200">
      <InlineStack align="space-between" blockAlign="center" gap="200">
        <Text as="h3" variant="headingSm">
          Problems
        </Text>
        <Button onClick={() => void save()} loading={fetching} variant="plain">
          Download report
        </Button>
      </InlineStack>
      {failed && (
        <Text as="p" tone="critical">
          The report could not be downloaded. Try again in a moment.
        </Text>
      )}
      <Box background="bg-surface-secondary" padding="300" borderRadius="200">
        <div style={{ maxHeight: "16rem", overflow: "auto" }} tabIndex={0} role="region" aria-label="Problems">
          <ol style={{ margin: 0, padding: 0, listStyle: "none" }}>
            {problems.map(({ line, field, problem }) => (
              <li key={`${line} ${field}`}>
                <b>Line {readable(line)}</b>
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
