import { TextField } from "@shopify/polaris";
import { memo } from "react";
import type { TextFieldProps } from "./use-form.ts";

/** Edits a whole number. Memoized, so that a letter in one field of a form does not render the others again. */
export const NumberField = memo(function NumberField(
  props: TextFieldProps & { label: string; suffix: string; help?: string; limits: { min: number; max: number } },
) {
  const { help, limits, ...field } = props;
  return <TextField {...field} {...limits} helpText={help} type="integer" inputMode="numeric" autoComplete="off" />;
});
