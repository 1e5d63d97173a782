/** English words so frequent that they tell nothing of a text's matter; the hash half leaves them out. */
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
