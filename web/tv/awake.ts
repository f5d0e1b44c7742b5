/** Keeps the screen on, where the browser can. It forgets that whenever the page is hidden. */
export function stayAwake(): void {
  const request = () => {
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', request);
  request();
}
