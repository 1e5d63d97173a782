/** Frequent words of twelve languages, Russian and Ukrainian among them: they indicate no topic. */
export const functionWords: ReadonlySet<string> = new Set(
  (
    "der die das den dem des ein eine einen einem einer und oder für mit von zu zum zur im in am auf aus bei nach über ist " +
    "sind wie wo was wer ich du er sie es wir ihr mein meine meinen nicht kann man ohne " +
    "le la les l un une des du de d et ou pour avec sans dans sur par au aux en est sont comment où que qui je tu il elle " +
    "nous vous mon ma mes mieux ce cette " +
    "el los las una unos unas y o para con sin por del al es son cómo como dónde donde qué mi mis mejor se su " +
    "il lo gli i uno e ed di da per su nel nella dello della dei delle come dove che mio mia " +
    "o os as um uma do da dos das no na nos nas em ao com sem meu minha onde " +
    "het een van voor met zonder op naar bij uit te mijn hoe waar wat ik en of " +
    "ett och eller för med på till från hur var jag min mitt som att " +
    "i w we z ze na do od dla bez lub oraz jak gdzie co kto się mój moja jest to " +
    "v s k o u pro bez nebo jak kde co se můj moje je " +
    "ve ile için bir bu nasıl nerede ne benim ya da " +
    "и в во на с со для без или как где что кто я мой моя мои не по от до из за у " +
    "і й та у з із для без або як де що хто мій моя не від до"
  ).split(" ")
)
