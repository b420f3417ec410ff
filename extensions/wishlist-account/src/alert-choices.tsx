import { useState } from "preact/hooks";
import { languageOfTexts, type Choices } from "./alerts.ts";
import { isChecked } from "./fields.ts";
import { FormDialog } from "./form-dialog.tsx";
import { service } from "./service.ts";
import { showToast, t } from "./texts.ts";
import { useRequest } from "./use-request.ts";

type Kind = Choices["offered"][number];

interface Props {
  id: string;
  choices: Choices;
  onSaved: (saved: Choices) => void;
}

/** Lets the customer choose the alerts about all saved items. */
export function AlertChoices({ id, choices, onSaved }: Props) {
  const request = useRequest();
  const [changed, setChanged] = useState<Partial<Record<Kind, boolean>>>({});
  const { offered, alerts } = choices;
  const isOn = (kind: Kind): boolean => changed[kind] ?? alerts.some((alert) => alert.kind === kind && alert.on);

  function submit(): void {
    void request.run(
      () =>
        service.alerts.update({
          alerts: Object.fromEntries(offered.map((kind) => [kind, isOn(kind)])),
          // What the customer agrees to is recorded with the consent.
          wording: [...offered.filter(isOn).map((kind) => t(`alerts.${kind}`)), t("alerts.hint")].join(" · "),
          locale: languageOfTexts(),
        }),
      (saved) => {
        showToast("alerts.saved");
        onSaved(saved);
      },
    );
  }

  return (
    <FormDialog
      id={id}
      heading={t("alerts.heading")}
      request={request}
      action={t("save")}
      onHide={() => setChanged({})}
      onSubmit={submit}
    >
      {offered.map((kind) => (
        <s-checkbox
          key={kind}
          label={t(`alerts.${kind}`)}
          checked={isOn(kind)}
          onChange={(event) => setChanged({ ...changed, [kind]: isChecked(event) })}
        />
      ))}
      <s-paragraph color="subdued">{t("alerts.hint")}</s-paragraph>
    </FormDialog>
  );
}
