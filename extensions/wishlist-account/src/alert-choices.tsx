import { useRef, useState } from "preact/hooks";
import { languageOfTexts, type Choices } from "./alerts.ts";
import { isChecked } from "./fields.ts";
import { messageOf } from "./messages.ts";
import { failureOf, service, type Failure } from "./service.ts";
import { t } from "./texts.ts";

type Kind = Choices["offered"][number];

function chosenOf({ alerts }: Choices): ReadonlySet<Kind> {
  return new Set(alerts.filter(({ on }) => on).map(({ kind }) => kind));
}

interface Props {
  id: string;
  choices: Choices;
  onSaved: (saved: Choices) => void;
}

/** Lets the customer choose the alerts about all saved items. */
export function AlertChoices({ id, choices, onSaved }: Props) {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [chosen, setChosen] = useState(() => chosenOf(choices));
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);

  function restart(): void {
    setChosen(chosenOf(choices));
    setFailure(undefined);
  }

  function choose(kind: Kind, on: boolean): void {
    setChosen((before) => new Set(on ? [...before, kind] : [...before].filter((one) => one !== kind)));
  }

  async function submit(): Promise<void> {
    setBusy(true);
    try {
      const kinds = choices.offered.filter((kind) => chosen.has(kind));
      const saved = await service.alerts.update({
        alerts: Object.fromEntries(choices.offered.map((kind) => [kind, chosen.has(kind)])),
        // What the customer agrees to is recorded with the consent.
        wording: [...kinds.map((kind) => t(`alerts.${kind}`)), t("alerts.hint")].join(" · "),
        locale: languageOfTexts(),
      });
      modal.current?.hideOverlay();
      void shopify.toast.show(t("alerts.saved"));
      onSaved(saved);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal id={id} ref={modal} heading={t("alerts.heading")} onShow={restart}>
      <s-stack gap="base">
        {failure && <s-banner tone="critical">{messageOf(failure)}</s-banner>}
        {choices.offered.map((kind) => (
          <s-checkbox
            key={kind}
            label={t(`alerts.${kind}`)}
            checked={chosen.has(kind)}
            onChange={(event) => choose(kind, isChecked(event))}
          />
        ))}
        <s-paragraph color="subdued">{t("alerts.hint")}</s-paragraph>
      </s-stack>
      <s-button slot="secondary-actions" command="--hide" commandFor={id}>
        {t("cancel")}
      </s-button>
      <s-button slot="primary-action" variant="primary" loading={busy} onClick={() => void submit()}>
        {t("save")}
      </s-button>
    </s-modal>
  );
}
