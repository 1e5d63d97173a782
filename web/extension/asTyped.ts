/**
 * Looks up what is typed, once the user pauses for `pause` milliseconds, and shows only the answer to what was typed
 * last: an earlier one that comes later is dropped.
 */
export const asTyped = <A>(
  look: (words: string) => Promise<A>,
  show: (answer: A, words: string) => void,
  pause = 30
): ((words: string) => void) => {
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return (words) => {
    const mine = ++turn
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const answer = await look(words)
      if (mine === turn) show(answer, words)
    }, pause)
  }
}
