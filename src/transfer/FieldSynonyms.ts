export type LinkField =
  | "url"
  | "title"
  | "note"
  | "description"
  | "tags"
  | "folder"
  | "created"
  | "favorite"
  | "archived"
  | "unread"

/** Drops case, spaces and punctuation: `Time added` and `time_added` are equal. */
export const normalizeFieldName = (raw: string): string =>
  raw
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "")

/** As `normalizeFieldName` writes them, the clearest first, in eleven languages. */
export const fieldSynonyms: Readonly<Record<LinkField, ReadonlyArray<string>>> = {
  url: words(`
    url link href uri linkurl pageurl htmlurl weburl externalurl resolvedurl givenurl originalurl sourceurl targeturl
    finalurl canonicalurl articleurl itemurl bookmarkurl hyperlink weblink weblinks links urls website webpage site permalink
    webaddress internetaddress canonical alternate address
    webadresse internetadresse netzadresse verknüpfung verweis webseite seitenadresse adresse
    lien liens adresseweb adresseurl siteweb urldusite
    enlace enlaces vínculo vinculo direcciónweb direccionweb sitioweb páginaweb paginaweb dirección direccion
    collegamento collegamenti indirizzoweb sitoweb indirizzo
    ligação ligações hiperligação hiperlink endereçoweb endereço
    koppeling webadres internetadres
    odnośnik odnośniki łącze adresurl adresstrony adreswww adresinternetowy adres
    ссылка ссылки адрессайта вебадрес урл адрес
    链接 链接地址 网址 网页地址 地址 連結 網址 鏈接
    リンク アドレス ウェブアドレス リンク先`),
  title: words(`
    title name pagetitle linktitle fulltitle bookmarktitle articletitle headline heading subject text caption fullname
    titel überschrift bezeichnung seitentitel
    titre nom intitulé libellé
    título titulo nombre
    titolo nome intestazione
    naam kop
    tytuł tytul nazwa
    заголовок название имя
    标题 名称 标题名称 標題 名稱
    タイトル 名前 題名 件名`),
  note: words(`
    note notes comment comments annotation annotations remark remarks memo extended usernote mynote mynotes
    notiz notizen kommentar kommentare anmerkung anmerkungen bemerkung bemerkungen
    commentaire commentaires remarque remarques
    nota notas comentario comentarios observaciones
    commento commenti annotazione annotazioni appunti
    comentário comentários observação observações anotação
    notitie notities opmerking opmerkingen
    notatka notatki komentarz komentarze uwagi
    заметка заметки комментарий комментарии примечание примечания
    备注 笔记 注释 评论 備註 筆記
    メモ ノート コメント 備考`),
  description: words(`
    description desc excerpt summary abstract snippet subtitle
    beschreibung zusammenfassung auszug
    résumé extrait
    descripción descripcion resumen
    descrizione riassunto sommario
    descrição resumo
    omschrijving beschrijving samenvatting
    opis streszczenie
    описание
    描述 说明 摘要 說明 簡介
    説明 概要`),
  tags: words(`
    tags tag taglist tagnames labels label keywords keyword topics topic hashtags
    schlagwort schlagworte schlagwörter stichwort stichworte stichwörter schlüsselwörter etikett etiketten
    étiquette étiquettes motsclés motclé
    etiqueta etiquetas palabrasclave
    etichetta etichette parolechiave
    palavraschave
    trefwoord trefwoorden
    tagi etykieta etykiety słowakluczowe znaczniki
    тег теги метка метки ключевыеслова
    标签 标记 关键词 關鍵字 標籤
    タグ キーワード ラベル`),
  folder: words(`
    folder folders collection collections list lists group groups folderpath foldername directory notebook path
    category categories section
    ordner sammlung gruppe verzeichnis kategorie kategorien rubrik liste
    dossier dossiers répertoire catégorie catégories groupe
    carpeta carpetas categoría categoria categorías categorias colección grupo
    cartella cartelle categorie raccolta gruppo
    pasta pastas coleção
    map mappen categorieën collectie groep
    katalog kategoria kategorie kolekcja
    папка папки категория категории раздел группа
    文件夹 分类 类别 目录 资料夹 資料夾 分類 類別
    フォルダ フォルダー カテゴリ カテゴリー 分類`),
  created: words(`
    createdat created creationdate createddate datecreated dateadded addedat addeddate added saved savedat saveddate
    datesaved timeadded timecreated adddate insertdate bookmarkedat starredat timestamp datetime date time
    datum erstellt erstelltam hinzugefügt hinzugefügtam gespeichert gespeichertam zeit
    dateajout datedajout ajoutéle crééle datecréation datedecréation
    fecha fechadecreación fechacreación creado añadido agregado
    data datacreazione datadicreazione datacriação datadecriação creato aggiunto criado adicionado
    aangemaakt toegevoegd datumtoegevoegd
    datadodania datautworzenia utworzono dodano
    дата датадобавления датасоздания создано добавлено
    日期 时间 创建时间 添加时间 時間 建立時間 收藏时间
    日付 日時 作成日 作成日時 追加日 登録日`),
  favorite: words(`
    favorite favourite favorited isfavorite starred isstarred star important pinned isfavourite favorit favoriten favori
    favoris favorito preferito preferiti favoriet ulubione избранное 收藏 お気に入り`),
  archived: words(
    "archived isarchived archive archiviert archivé archivado archiviato arquivado zarchiwizowane архив"
  ),
  unread: words(
    "unread isunread toread readlater ungelesen nonlu noleído nonletto nãolido ongelezen nieprzeczytane"
  )
}

/** Names that mean an address only where one stands in the field: elsewhere they are of streets, places or files. */
export const vagueUrlNames: ReadonlySet<string> = new Set(
  words(`
    uri links urls website webpage site permalink canonical alternate address adresse verweis webseite dirección direccion
    indirizzo endereço adres адрес 地址 アドレス リンク先 koppeling`)
)
