/** Texts that break full-text queries: operators of FTS5, lone surrogates, invisible characters, long runs. */
export const hostileTexts: ReadonlyArray<string> = [
  ...` " "" ' '' * ** ^ ^a : - -- + ( ) () { } \\ % _ ?1 :a AND OR NOT NEAR NEAR/2 title:a a"b a* "a"*`.split(
    " "
  ),
  ...["a AND", "NOT b", "NEAR(a b)", "{note text} : a", "- {note} : x", 'a" OR "b', '") OR ("'],
  ..."\n \t \u00a0 \u200b \u200d \ufe0f \u0301 \ufeff \ufdd0 \u{e000} \u{10ffff} \ud83e \udd8a a\ud83e 日\ud83e".split(
    " "
  ),
  ..."🦊 👩‍👩‍👧 é ß ﬁ İ ﷺ 1 日 ก 一二".split(" "),
  ...["'; DROP TABLE links; --", " ", "a ".repeat(500)],
  ...["a", "日", '"', "("].map((sign) => sign.repeat(1_000))
]
