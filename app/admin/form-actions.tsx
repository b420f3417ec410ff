import { Box, InlineStack } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Buttons under a card. On a phone cards reach the edge, and buttons must not. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack align="end">{children}</InlineStack>
    </Box>
  );
}
