interface Choice {
  title: string;
  text: string;
  confirm: string;
  cancel: string;
}

export const LEAVE: Choice = {
  title: "Leave page with unsaved changes?",
  text: "Leaving this page will delete all unsaved changes.",
  confirm: "Leave page",
  cancel: "Stay",
};

export const DISCARD: Choice = {
  title: "Discard all unsaved changes",
  text: "If you discard changes, you'll delete any edits you made since you last saved.",
  confirm: "Discard changes",
  cancel: "Continue editing",
};

let open: HTMLDialogElement | undefined;

/** Opens a confirmation dialog over the whole page. @returns whether the merchant confirms */
export function confirmChoice({ title, text, confirm, cancel }: Choice): Promise<boolean> {
  // A second dialog replaces the first.
  open?.close();
  const dialog = document.createElement("dialog");
  dialog.className = "confirm";
  dialog.setAttribute("aria-label", title);
  const heading = document.createElement("header");
  heading.textContent = title;
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  const form = document.createElement("form");
  form.method = "dialog";
  const buttons = [
    { label: cancel, className: "", value: "" },
    { label: confirm, className: "primary critical", value: "confirm" },
  ].map(({ label, className, value }) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.className = className;
    button.value = value;
    return button;
  });
  form.append(...buttons);
  dialog.append(heading, paragraph, form);
  document.body.append(dialog);
  dialog.showModal();
  open = dialog;
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "confirm");
    });
  });
}
