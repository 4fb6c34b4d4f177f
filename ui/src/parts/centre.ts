/** Scrolls sideways until a part of what scrolls is in the middle, as far as there is something to scroll. */
export function centre(scroller: HTMLElement, left: number, width: number): void {
  scroller.scrollLeft = left - (scroller.clientWidth - width) / 2;
}
