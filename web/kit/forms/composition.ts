/**
 * Keys with which an input method composes letters, such as the Enter that chooses 王, are none of the page's: they must
 * not leave a field, save a form or start a search.
 */
export function leaveKeysToInputMethods(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // Safari ends the composition first, and its Enter then has the code of an input method.
      const isLast = !event.isComposing && event.keyCode === INPUT_METHOD;
      if (isLast && event.key === 'Enter') event.preventDefault();
      if (isLast || event.isComposing) event.stopImmediatePropagation();
    },
    true,
  );
}

const INPUT_METHOD = 229;
