// Puts hearts on product cards: loaded by pages that link to products.
import { decorate, enqueue, enqueueChanges, onResized } from "./hearts.ts";
import { inSlices } from "./slices.ts";

let isBusy = false;

function decorateSoon(): void {
  if (isBusy) return;
  isBusy = true;
  inSlices(decorate(), (fresh) => {
    isBusy = false;
    wishlistCore.arrive(fresh);
  });
}

onResized(decorateSoon);
wishlistCore.onChanges((changes) => {
  enqueueChanges(changes);
  decorateSoon();
});
enqueue(document.body);
decorateSoon();
