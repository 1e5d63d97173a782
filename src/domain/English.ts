/** English words too frequent to indicate a text's topic, as written and in the `singular` (`doe`, `ha`, `wa`). */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the this that these those some any all each every both such same own no not nor only " +
    "i me my we us our you your he him his she her it its they them their who whom whose which what " +
    "am is are was were be been being do does did done doing have has had having " +
    "can could may might must shall should will would " +
    "and or but if then than so as because while when where why how " +
    "of at by for with about against between into through during before after above below to from up down " +
    "in out on off over under via per very just also more most other too again further once here there " +
    "use used using uses s t don doe ha wa it etc"
  ).split(" ")
)

/** "libraries" → "library". The built-in embedder's table was trained with this rule, so it must not change. */
export const singular = (word: string): string => {
  const length = word.length
  if (length < 4 || !word.endsWith("s")) return word
  if (length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`
  if (word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word
  if (/(?:x|z|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
