/**
 * What browsers call the folders that every user of theirs has, in lower case: Chrome, Edge, Firefox, Safari; English,
 * German, French, Spanish, Portuguese, Italian, Dutch. Google Bookmarks and Raindrop so name what has no folder.
 */
const names = new Set([
  ...["bookmarks", "bookmarks bar", "bookmark bar", "bookmarks toolbar", "bookmarks toolbar folder"],
  ...["bookmarks menu", "personal toolbar", "personal toolbar folder", "other bookmarks", "mobile bookmarks"],
  ...["unsorted bookmarks", "unsorted", "unlabeled", "favorites", "favourites", "favorites bar"],
  ...["favourites bar", "other favorites", "other favourites", "mobile favorites", "mobile favourites"],
  ...["lesezeichen", "lesezeichenleiste", "lesezeichen-symbolleiste", "lesezeichen-menü", "lesezeichenmenü"],
  ...["weitere lesezeichen", "mobile lesezeichen", "favoriten", "favoritenleiste", "weitere favoriten"],
  ...["andere favoriten", "mobile favoriten"],
  ...["favoris", "signets", "marque-pages", "barre de favoris", "barre des favoris", "barre personnelle"],
  ...["barre de signets", "menu signets", "menu des marque-pages", "autres favoris", "autres marque-pages"],
  ...["favoris sur mobile", "marque-pages mobiles"],
  ...["marcadores", "barra de marcadores", "barra de favoritos", "menú de marcadores", "otros marcadores"],
  ...["otros favoritos", "favoritos", "outros favoritos", "menu de marcadores", "outros marcadores"],
  ...["preferiti", "barra dei preferiti", "altri preferiti", "barra dei segnalibri", "altri segnalibri"],
  ...["bladwijzers", "bladwijzerbalk", "bladwijzerwerkbalk", "bladwijzermenu", "andere bladwijzers"],
  ...["favorieten", "favorietenbalk", "andere favorieten"]
])

/** Whether a folder at the top goes by a name that a browser gave it, and so says nothing of its links. */
export const isBrowserFolder = (name: string): boolean => names.has(name.normalize("NFC").toLowerCase())
