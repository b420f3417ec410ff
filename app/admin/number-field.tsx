import { TextField } from "@shopify/polaris";
import type { AdminForm } from "./use-form.ts";

interface Props<Data> {
  form: AdminForm<Data>;
  name: string;
  limits: { min: number; max: number };
  label: string;
  suffix: string;
  help: string;
}

/** A field of a form for a whole number. */
export function NumberField<Data>({ form, name, limits, label, suffix, help }: Props<Data>) {
  return (
    <TextField
      {...form.text(name)}
      label={label}
      suffix={suffix}
      helpText={help}
      type="integer"
      inputMode="numeric"
      {...limits}
      autoComplete="off"
    />
  );
}
