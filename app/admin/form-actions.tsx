import { Box, InlineStack } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Buttons below a card, with padding on phones, where cards span the full width. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack align="end">{children}</InlineStack>
    </Box>
  );
}
