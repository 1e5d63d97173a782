import { setOf } from "../../../domain/Markup.ts"
import { lazily } from "../../../shared/Lazily.ts"
import { folded } from "../../../shared/Text.ts"

/**
 * The signs of pages that are served in place of the requested page. Every sign is general: a product or a phrase,
 * never a single site's page, except where a log-in or consent page stands in front of everything. Titles and phrases
 * are compared as `plainWords`.
 */

/** A text as lower-case words without accents and punctuation, separated by single spaces. */
export const plainWords = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Titles to compare with whole parts of a title, and, those listed with `*`, with beginnings of parts. */
export interface Titles {
  readonly whole: ReadonlySet<string>
  readonly beginnings: ReadonlyArray<string>
}

const listOf = (list: string) =>
  list
    .split(";")
    .map((one) => one.trim())
    .filter((one) => one !== "")

const titles = (list: string): (() => Titles) =>
  lazily(() => ({
    whole: new Set(
      listOf(list)
        .filter((one) => !one.endsWith("*"))
        .map(plainWords)
    ),
    beginnings: listOf(list)
      .filter((one) => one.endsWith("*"))
      .map(plainWords)
  }))

const phrases = (list: string): (() => ReadonlyArray<string>) => lazily(() => listOf(list).map(plainWords))

const marks = (list: string): ReadonlyArray<string> => list.trim().split(/\s+/)

export const productTitles = titles(`
  Attention Required! | Cloudflare; Please Wait... | Cloudflare; Your access to this site has been limited*;
  DDoS-Guard; Pardon Our Interruption*; Access to this page has been denied*; Making sure you're not a bot!*;
  Vercel Security Checkpoint; Sucuri WebSite Firewall*; Client Challenge; Robot Challenge Screen;
  Prove your humanity; Please wait for verification; Radware Bot Manager Captcha; Radware Captcha Page;
  Ой, Капча!; 百度安全验证
`)

export const wallTitles = titles(`
  Attention Required!; Human Verification; Verification Required; Verify you are human*;
  Verifying you are human*; Verifying your browser*; Verifying your connection*; Checking your browser*;
  Checking if the site connection is secure; Establishing a secure connection*; Are you a robot?;
  Are you human?; Are you a human?; Robot or human?; Robot check; Bot verification; Bot check;
  Security Measure; Let's confirm you are human; Please complete the security check*; One more step;
  Browser check; Security verification; Security checkpoint; You have been blocked;
  You are being redirected...; Sorry, you have been blocked; Request unsuccessful*;
  Please verify you are a human; Please prove you are human; Please confirm you are not a robot;
  Confirm you are not a robot; Prüfen, ob Sie ein Mensch sind; Sicherheitsüberprüfung; Sind Sie ein Mensch?;
  Sind Sie ein Roboter?; Vérification de sécurité; Êtes-vous un robot ?; Verificación de seguridad;
  ¿Eres un robot?; Verificação de segurança; Verifica di sicurezza; Beveiligingscontrole; Вы не робот?;
  Проверка безопасности; 보안 확인; 环境异常; 環境異常; ロボットではないことを確認してください; 安全验证; 人机验证; 安全驗證; 人機驗證; 访问验证
`)

/** Titles of bot walls that ordinary pages have too. */
export const ambiguousWallTitles = titles(`
  Just a moment...; Just a moment please; One moment, please...; Please wait; Please wait a moment;
  Nur einen Moment...; Einen Moment bitte...; Bitte warten; Un instant...; Un instant s'il vous plaît;
  Un moment...; Veuillez patienter; Un momento...; Un momento, por favor; Um momento...; Só um momento...;
  Un attimo...; Een moment geduld...; Even geduld...; Ett ögonblick...; Et øjeblik...; Et øyeblikk...;
  Hetkinen...; Chwileczkę...; Cierpliwości...; Okamžik prosím...; Okamžik...; Jen okamžik...;
  Egy pillanat...; O clipă...; Bir dakika lütfen...; Bir dakika...; Один момент…; Минуточку...; Подождите...;
  Зачекайте...; Хвилинку...; Μια στιγμή...; しばらくお待ちください; 少々お待ちください; 잠시만 기다리십시오…; 잠시만 기다려 주세요; 请稍候; 請稍候;
  لحظة…; لحظة من فضلك; רק רגע...; یک لحظه...; कृपया प्रतीक्षा करें...; Chờ một chút...; Xin đợi một lát...;
  Tunggu sebentar...; โปรดรอสักครู่...; Access denied*; Access restricted; Request rejected; Request blocked;
  Blocked; ERROR: The request could not be satisfied; Captcha; reCAPTCHA; Captcha verification;
  Loading challenge; Verification; Проверка; 验证; 驗證; 확인; Security check; Security challenge; Unusual traffic; Too many requests;
  Zugriff verweigert; Accès refusé; Acceso denegado; Acesso negado; Accesso negato; Toegang geweigerd;
  Odmowa dostępu; Доступ ограничен; Доступ запрещен; Доступ заборонено; Erişim engellendi; 访问被拒绝; 验证码;
  アクセスが拒否されました; 접근이 거부되었습니다
`)

export const wallPhrases = phrases(`
  verify you are human; verify that you are human; verify that you are not a robot;
  verify you are not a robot; verify that you're not a robot; verifying you are human; confirm you are human;
  confirm you are not a robot; confirm you're not a robot; confirm that you are human;
  verify yourself to continue; let us know you're not a robot; prove your humanity; prove you are human;
  prove that you are human; prove you're not a robot; make sure you're not a robot;
  make sure you are not a robot; making sure you're not a bot; press & hold to confirm you are;
  enable JavaScript and cookies to continue; enable JS and disable any ad blocker;
  needs to review the security of your connection; checking your browser before accessing;
  checking the site connection security; checking if the site connection is secure; checking your browser;
  verifying your browser; unusual traffic from your computer network; unusual activity from your;
  detected unusual activity; automated access to; think that you are a bot; made us think that you are a bot;
  you have been blocked; you've been blocked by network security; your request has been blocked;
  request is being verified; Incapsula incident ID; the requested URL was rejected; your support ID is;
  sorry, you have been blocked; complete the security check to access; complete the captcha;
  solve the captcha; solving the captcha; enter the characters you see below;
  type the characters you see in this image; let's confirm you are human;
  Performance & security by Cloudflare; DDoS protection by Cloudflare;
  your access to this site has been limited; protected by Anubis; errors.edgesuite.net;
  bestätigen Sie, dass Sie ein Mensch sind; bestätigen Sie, dass Sie kein Roboter sind;
  dass Sie kein Roboter sind; ungewöhnlichen Datenverkehr; vérifiez que vous êtes humain;
  vérifier que vous êtes humain; confirmez que vous êtes humain; n'êtes pas un robot;
  verifique que usted es un ser humano; verifica que eres humano; que no eres un robot; que no es un robot;
  verifique se você é humano; confirme que você é humano; não é um robô; verifica di essere umano;
  di non essere un robot; controleer of u een mens bent; dat u geen robot bent; että et ole robotti;
  att du inte är en robot; że nie jesteś robotem; potwierdź, że jesteś człowiekiem; že nejste robot;
  подтвердите, что вы человек; подтвердите, что вы не робот; что запросы отправляли вы, а не робот;
  проверяем, что вы человек; підтвердьте, що ви людина; insan olduğunuzu doğrulayın; robot olmadığınızı;
  ロボットではないことを; 人間であることを確認; 사람인지 확인; 로봇이 아님을; 确认您是真人; 验证您是真人; 验证您是否是真人; 确认您不是机器人; 完成安全验证; 確認您是真人; 驗證您是人類;
  請完成安全驗證; 当前环境异常; 完成验证后; 请完成验证; 请按住滑块; 拖动滑块; 拖动到最右边; 當前環境異常; 完成驗證後; 비정상적인 접근; 보안 문자를 입력;
  подозрительная активность; пройдите проверку; environment is abnormal; complete verification to continue;
  complete the verification to continue; slide to verify; drag the slider; التحقق من أنك إنسان; أنك لست روبوت; שאינך רובוט; bạn không phải là robot; bahwa anda bukan robot
`)

/** Markup that only a challenge has: names of its scripts, elements and addresses. */
export const wallMarkup: ReadonlyArray<string> = Object.values({
  Cloudflare:
    "_cf_chl_opt cf-browser-verification challenge-error-text cf-error-details cf-challenge-running /cdn-cgi/challenge-platform/h/",
  DataDome: "captcha-delivery.com",
  "PerimeterX, now HUMAN": "px-captcha captcha.px-cdn.net captcha.perimeterx.net",
  "Imperva, formerly Incapsula and Distil": "distilIdentificationBlock distil_referrer",
  "AWS WAF": "gokuProps AwsWafCaptcha",
  SiteGround: "/.well-known/captcha/ /.well-known/sgcaptcha/ sgchallenge",
  Sucuri: "sucuri_cloudproxy_js cdn.sucuri.net/sucuri-firewall-block",
  "Anubis and go-away, in front of many code hosts":
    "anubis_challenge /.within.website/x/ /.well-known/.git.gammaspectra.live/git/go-away/",
  Akamai: "/_sec/cp_challenge/ /_sec/verify? sec-if-cpt-container",
  "DDoS-Guard": "check.ddos-guard.net /.well-known/ddos-guard/",
  Vercel: "/.well-known/vercel/security/",
  Kasada: "KPSDK /149e9513-01fa-4fb0-aad4-566afd725d2d/",
  "Fastly, BunnyCDN, Reblaze, Qrator, basedflare, BitNinja":
    "/_fs-ch- .bunny-shield/ rbzns __qrator/ /.basedflare/ bitninja",
  "Google, Amazon, Yandex, Alibaba, Baidu":
    "/sorry/index /errors/validateCaptcha /showcaptcha _____tmd_____/punish wappass.baidu.com/static/captcha"
}).flatMap(marks)

/** Markup of vendors' scripts and captchas, which ordinary pages contain too. */
export const vendorMarkup = marks(`
  /cdn-cgi/challenge-platform/ challenges.cloudflare.com cf-turnstile _Incapsula_Resource awswaf.com
  _pxAppId datadome g-recaptcha google.com/recaptcha/ recaptcha.net/recaptcha/ h-captcha hcaptcha.com
  frc-captcha mtcaptcha arkoselabs.com geetest smartcaptcha altcha /captcha
`)

type Header = readonly [name: string, value: RegExp]

/** Headers that name a challenge, whatever the status. */
export const challengeHeaders: ReadonlyArray<Header> = [
  ["cf-mitigated", /challenge|block/i],
  ["sg-captcha", /challenge/i],
  ["x-amzn-waf-action", /challenge|captcha/i],
  ["x-px-block", /./],
  ["x-sucuri-block", /./],
  ["x-vercel-mitigated", /challenge|deny/i]
]

/** Headers of a protection that make an error status look like its refusal. */
export const protectionHeaders: ReadonlyArray<Header> = [
  ["server", /cloudflare|ddos-guard|akamaighost|sucuri|qrator|datadome|stormwall|variti|imperva/i],
  ["x-cdn", /incapsula|imperva/i],
  ["x-datadome", /./],
  ["x-dd-b", /./],
  ["x-iinfo", /./],
  ["x-kpsdk-ct", /./],
  ["x-sucuri-id", /./]
]

export const wallHeaders: ReadonlyArray<string> = [...challengeHeaders, ...protectionHeaders].map(
  ([name]) => name
)

export const challengePaths = marks(`
  /sorry/ /showcaptcha /captcha /challenge /.well-known/captcha /.well-known/sgcaptcha
  /errors/validatecaptcha /blocked
`)

export const loginTitles = titles(`
  Log in; Login; Log in to*; Log into*; Login to*; Login required; Login page; Login form; Client login;
  Staff login; Log in with*; Log in or sign up*; Log in or create an account; Sign in; Sign in to*;
  Sign in with*; Sign in or*; Sign in required; Sign up; Sign up or log in; Member login; User login;
  Customer login; Account login; Subscriber login; Please log in; Please sign in; You must log in*;
  Authentication required; Single sign-on; Anmelden; Anmeldung; Einloggen; Anmelden bei*; Connexion;
  Se connecter; Identification; Iniciar sesión*; Inicia sesión*; Acceder; Ingresar; Fazer login;
  Iniciar sessão; Entrar; Accedi; Accesso; Inloggen; Aanmelden; Logga in; Logg inn; Log ind; Kirjaudu;
  Kirjaudu sisään; Zaloguj się*; Logowanie; Přihlášení; Přihlásit se; Bejelentkezés; Autentificare;
  Conectare; Σύνδεση; Вход; Войти; Авторизация; Вхід; Увійти; Giriş yap; Giriş; ログイン; サインイン; 登录; 登入; 登錄; 로그인;
  تسجيل الدخول; ورود; התחברות; כניסה; लॉग इन करें; Đăng nhập; Masuk; เข้าสู่ระบบ
`)

export const loginControls = phrases(`
  continue with Google; continue with Apple; continue with Facebook; continue with Microsoft; continue with GitHub;
  continue with email; continue with e-mail; continue with phone; continue with passkey; continue with SSO;
  sign in with Google; sign in with Apple; log in with Google; log in with Facebook; sign in with SSO; single sign-on;
  sign in with a passkey; sign-in options; forgot password; forgot your password; forgot username; reset password;
  can't access your account; don't have an account; no account; need an account; create an account; create account;
  create one; new here; remember me; keep me signed in; magic link; trouble logging in; trouble signing in;
  Passwort vergessen; noch kein Konto; Konto erstellen; mit Google anmelden; weiter mit Google; angemeldet bleiben;
  mot de passe oublié; pas encore de compte; créer un compte; continuer avec Google; se souvenir de moi;
  olvidaste tu contraseña; olvidó su contraseña; no tienes una cuenta; no tienes cuenta; crear una cuenta;
  continuar con Google; continuar con Facebook; esqueceu a senha; não tem uma conta; criar conta;
  continuar com o Google; password dimenticata; non hai un account; crea un account; continua con Google;
  wachtwoord vergeten; nog geen account; doorgaan met Google; nie masz konta; nie pamiętasz hasła; забыли пароль;
  нет аккаунта; создать аккаунт; войти через; şifremi unuttum; hesabın yok mu; パスワードをお忘れ; アカウントをお持ちでない; googleでログイン;
  忘记密码; 没有账号; 注册账号; 忘記密碼; 비밀번호 찾기; 계정이 없으신가요; نسيت كلمة المرور; quên mật khẩu
`)

export const loginPhrases = phrases(`
  you must log in to; you must be logged in; you need to log in; you need to be logged in;
  you need to sign in; you have to log in; please log in to; please sign in to; please login to;
  log in to continue; login to continue; sign in to continue; log in to view; sign in to view; log in to see;
  sign in to see; sign up to see; join to view; melden Sie sich an, um; melde dich an, um;
  bitte melden Sie sich an; bitte einloggen; connectez-vous pour; vous devez être connecté;
  veuillez vous connecter; inicia sesión para; inicie sesión para; debes iniciar sesión; faça login para;
  entre para ver; accedi per; devi effettuare l'accesso; log in om; je moet ingelogd zijn; du måste logga in;
  zaloguj się, aby; musisz się zalogować; войдите, чтобы; необходимо войти; необходимо авторизоваться;
  увійдіть, щоб; giriş yapmalısınız; ログインしてください; ログインが必要です; 请先登录; 请登录; 登录后; 請先登入; 로그인이 필요합니다;
  يجب تسجيل الدخول; bạn cần đăng nhập
`)

/** Steps have no separators and no extension. */
export const loginSteps =
  setOf(`login logins signin logon authwall sso oauth oauth2 authorize authenticate checkpoint userlogin wplogin
  loginpage loginform signinidentifier identifier anmelden anmeldung einloggen connexion seconnecter iniciarsesion
  acceder accedi inloggen logowanie zaloguj prihlaseni giris`)

/** Two steps that mean a log-in only together. */
export const loginPairs =
  setOf(`session/new sessions/new users/signin user/login accounts/login account/login uas/login auth/login members/login
  i/flow`)

/** First labels of hosts that serve nothing but log-ins. */
export const loginHosts = setOf("login signin auth sso idp accounts account identity passport id konto")

export const returnParameters =
  setOf(`next continue return returnto returnurl returnpath returnuri redirect redirectto redirecturl redirecturi url goto
  done dest destination from ref backurl callbackurl sessionredirect service back nexturl origin
  requesturl r ru target`)

export const consentTitles = titles(`
  Before you continue*; Bevor Sie fortfahren*; Bevor Sie zu*; Bevor du zu*; Avant d'accéder à*;
  Avant de continuer*; Antes de continuar*; Antes de ir a*; Antes de acceder a*; Prima di continuare*;
  Voordat je verdergaat*; Innan du fortsätter*; Før du fortsætter*; Før du fortsetter*; Ennen kuin jatkat*;
  Zanim przejdziesz do*; Než budete pokračovat*; Прежде чем перейти*; Перш ніж перейти*; Devam etmeden önce*;
  続行する前に*; に進む前に; 계속하기 전에*; Yahoo is part of the Yahoo family of brands;
  Yahoo ist Teil der Yahoo Markenfamilie; Yahoo fait partie de la famille de marques Yahoo;
  Yahoo forma parte de la familia de marcas de Yahoo; Yahoo fa parte della famiglia di brand Yahoo;
  is part of the Yahoo family of brands; DPG Media Privacy Gate; Privacy Gate; Cookie wall; Cookie consent;
  Consent required; Zustimmung erforderlich; Einwilligung erforderlich; We value your privacy;
  We care about your privacy; Your privacy is important to us; Wir respektieren Ihre Privatsphäre;
  Nous respectons votre vie privée
`)

export const consentPhrases = phrases(`
  before you continue to; accept all cookies to continue; reject all accept all; we use cookies and data to;
  wir verwenden Cookies und Daten; nous utilisons des cookies et des données; utilizamos cookies y datos;
  usamos cookies e dados; utilizziamo i cookie e i dati; we, Yahoo, are part of the;
  wir, Yahoo, sind Teil der; nous, Yahoo, faisons partie; when you use our sites and apps, we use cookies;
  by clicking accept all; to continue, please accept; you must accept cookies;
  please accept cookies to continue; alle ablehnen; tout refuser; rechazar todo; rifiuta tutto
`)

export const consentMarkup: ReadonlyArray<string> = [
  "//consent.youtube.com/save",
  "//consent.google.",
  "//consent.yahoo.com/",
  "//guce.",
  "/collectConsent"
]

export const consentHosts = setOf("consent guce myprivacy privacygate cmp")
export const consentSteps = setOf(
  "consent collectconsent cookieconsent cookiewall privacygate privacywall cookiegate"
)

export const notFoundTitles = titles(`
  404; 410; Not found; Page not found; Page not found*; Page cannot be found; Page can't be found;
  File not found; File or directory not found; Document not found; Article not found; Post not found;
  Content not found; Content unavailable; Content not available; This content isn't available right now;
  This content isn't available; This page doesn't exist*; Hmm... this page doesn't exist*;
  That page can't be found; Oops! That page can't be found; User not found; Profile not found;
  Repository not found; Thread not found; Topic not found; Question not found; Recipe not found;
  Job not found; Listing not found; Event not found; Story not found; Video not found; Image not found;
  Site not found; Item not found; Product not found; Resource not found; Video unavailable; Nothing found;
  Nothing here; Page unavailable; Page not available; This page isn't available; This page is not available;
  This page could not be found; This page doesn't exist; This page does not exist;
  The page could not be found; The page cannot be found; The page you requested was not found;
  The page you are looking for*; The page you were looking for*; The page you're looking for*;
  Sorry, this page isn't available; Sorry, this page is not available; Sorry, page not found;
  Sorry, we can't find that page; We can't find that page; We can't find this page; We can't find the page;
  We couldn't find this page; We couldn't find the page; We could not find that page;
  We could not find this page; We couldn't find what you were looking for; We couldn't find that page;
  Oops! Page not found; No longer available; Seite nicht gefunden; Seite wurde nicht gefunden;
  Die Seite wurde nicht gefunden; Die angeforderte Seite wurde nicht gefunden; Diese Seite existiert nicht;
  Nicht gefunden; Datei nicht gefunden; Page introuvable; Page non trouvée; Cette page n'existe pas;
  Cette page est introuvable; Introuvable; Página no encontrada; No encontrado; No se encontró la página;
  Esta página no existe; Página não encontrada; Não encontrado; Pagina non trovata; Non trovato;
  Pagina niet gevonden; Niet gevonden; Sidan hittades inte; Sidan kunde inte hittas; Siden blev ikke fundet;
  Siden ble ikke funnet; Fant ikke siden; Sivua ei löydy; Sivua ei löytynyt; Nie znaleziono strony;
  Strona nie istnieje; Strona nie została znaleziona; Stránka nenalezena; Stránka nebyla nalezena;
  Stránka sa nenašla; Az oldal nem található; Pagina nu a fost găsită; Страница не найдена; Не найдено;
  Сторінку не знайдено; Sayfa bulunamadı; Η σελίδα δεν βρέθηκε; ページが見つかりません; ページが見つかりませんでした;
  お探しのページは見つかりませんでした; 指定されたページが見つかりません; 页面不存在; 页面未找到; 找不到页面; 页面没有找到; 您访问的页面不存在; 找不到網頁; 頁面不存在; 페이지를 찾을 수 없습니다;
  الصفحة غير موجودة; صفحه یافت نشد; הדף לא נמצא; העמוד לא נמצא; Không tìm thấy trang; Trang không tồn tại;
  Halaman tidak ditemukan; ไม่พบหน้าที่คุณต้องการ; पृष्ठ नहीं मिला
`)

export const notFoundPhrases = phrases(`
  page you are looking for; page you were looking for; page you're looking for; page you requested;
  page you have requested; page you tried to; page doesn't exist; page does not exist;
  page could not be found; page cannot be found; page can't be found; page may have been removed;
  page was not found; page not found; page has been moved or deleted; page may have been moved;
  page has been removed; might have been removed; may have been removed; has been removed or;
  couldn't find the page; could not find the page; can't find the page; couldn't find that page;
  can't seem to find; nothing was found at this location; no longer exists; is no longer available;
  isn't available right now; link you followed may be broken; requested URL was not found;
  the requested resource; Seite nicht gefunden; Seite existiert nicht; gesuchte Seite; angeforderte Seite;
  Seite konnte nicht gefunden; page que vous recherchez; page que vous cherchez; page demandée;
  n'existe pas ou; n'existe plus; página que buscas; página que busca; página que está buscando;
  página solicitada; página que você procura; página que procura; página não existe;
  pagina che stai cercando; pagina richiesta; pagina die je zoekt; pagina die u zoekt; sidan du söker;
  siden du leder efter; siden du leter etter; sivua ei löytynyt; szukana strona; strona, której szukasz;
  požadovaná stránka; hledaná stránka; страница не найдена; страница удалена; запрашиваемая страница;
  такой страницы; сторінка не існує; aradığınız sayfa; お探しのページ; ページは見つかりません; 削除されたか; 页面不存在; 您访问的页面; 您要找的页面;
  已被删除; 요청하신 페이지; 찾을 수 없습니다; الصفحة التي تبحث عنها; trang bạn tìm; halaman yang anda cari
`)

/** Steps have no separators and no extension. */
export const notFoundSteps = setOf(
  "404 error404 404error notfound pagenotfound 404notfound 404page page404 errors404"
)

export const parkedTitles = titles(`
  Domain for sale; This domain is for sale*; This domain may be for sale*; This domain name is for sale*;
  This website is for sale*; Buy this domain*; Domain parked; Parked domain; Parked domain name*;
  This domain is parked*; Domain parking; Domain Default page; Domain expired; This domain has expired*;
  Expired domain; Account suspended; This account has been suspended*; Website suspended;
  Future home of something quite cool; This domain isn't connected*; Looks like this domain isn't connected*;
  Domain not connected; Domain not claimed; This shop is unavailable; This store is unavailable;
  Sorry, this shop is currently unavailable; Site suspended; Website is no longer available;
  Welcome to nginx!; Test Page for the Nginx HTTP Server*; Apache2 Ubuntu Default Page*;
  Apache2 Debian Default Page*; Apache HTTP Server Test Page*; HTTP Server Test Page*; IIS Windows Server;
  IIS Windows; Default Web Site Page; Default Parallels Plesk Page; Web Server's Default Page;
  Domain nicht konfiguriert; Diese Domain steht zum Verkauf*; Diese Website steht zum Verkauf*;
  Hier entsteht eine neue Internetpräsenz*; Domain zu verkaufen; Ce domaine est à vendre*;
  Ce nom de domaine est à vendre*; Este dominio está en venta*; Este domínio está à venda*;
  Questo dominio è in vendita*; Dit domein is te koop*; Domena na sprzedaż; Домен продается;
  Домен продаётся*; Домен припаркован*; このドメインは販売中です;
  This domain is registered*; Website not published; This site isn't published*; This site is not published*;
  Site not published; 域名出售; 该域名正在出售; 此域名待售; 도메인 판매
`)

/** Titles of empty sites that other pages have too. */
export const placeholderTitles = titles(`
  Coming soon; Under construction; Site under construction; Website coming soon; It works!
`)

/** Words of notices directly after the domain itself: `example.com is for sale`. */
export const saleEndings = phrases(`
  is for sale; may be for sale; is available for purchase; domain name is for sale; premium domain; domain for sale; for sale; steht zum Verkauf; ist zu verkaufen;
  est à vendre; está en venta; está à venda; è in vendita; is te koop; продается; na sprzedaż; 域名出售; 域名正在出售; 正在出售; は販売中
`)

export const parkedPhrases = phrases(`
  this domain is for sale; this domain may be for sale; this domain name is for sale;
  the domain may be for sale; domain is parked; buy this domain; domain has expired;
  inquire about this domain; interested in this domain; get a price in less than 24 hours;
  make an offer on this domain; this webpage was generated by the domain owner using;
  diese Domain steht zum Verkauf; diese Domain kaufen; domain erwerben; ce domaine est à vendre;
  este dominio está en venta; dominio è in vendita; домен продается; этот домен;
  domain name is available for purchase; is registered but may still be available; get this domain; want to buy this domain;
  contact your hosting provider; successfully installed and working; further configuration is required;
  default welcome page
`)

export const parkingMarkup = marks(`
  sedoparking.com parkingcrew.net bodis.com parklogic.com skenzo.com above.com/parking domainparking
  parking-lander parkingpage.namecheap.com dan.com/ afternic.com hugedomains.com uniregistry.com
  cashparking park.io data-adblockkey /parking.php d38psrni17bvxu.cloudfront.net
`)

/** Registered domains of markets to which parked domains redirect. */
export const parkingHosts =
  setOf(`sedo.com dan.com hugedomains.com afternic.com above.com bodis.com parkingcrew.net sav.com atom.com
  buydomains.com undeveloped.com domainmarket.com squadhelp.com brandbucket.com epik.com`)

export const shellTitles = titles(`
  Loading; React App; Vite App; Vite + React; Vite + React + TS; Vite + Vue; Vite + Vue + TS; Vite + Svelte;
  Svelte app; Vue App; Angular App; My App; My Angular App; Next.js App; Create Next App; Nuxt App;
  Ionic App; Quasar App; Expo App; Webpack App; Parcel Sandbox; Vite + Preact; Vite + Lit; Vite + Solid;
  Solid App; vite-project; flutter_app; JavaScript required; JavaScript is required;
  Please enable JavaScript; Enable JavaScript; JavaScript is disabled; JavaScript is not available;
  Ember App; Untitled; Document; Title; Redirecting; Redirecting*; Redirect; Wird geladen; Wird geladen*;
  Laden; Lädt; Weiterleitung; Chargement; Chargement en cours; Redirection; Cargando; Carregando;
  Caricamento; Caricamento in corso; Laddar; Ładowanie; Načítání; Betöltés; Загрузка; Завантаження;
  Yükleniyor; 読み込み中; 加载中; 正在加载; 載入中; 로딩 중; جار التحميل; Đang tải; Memuat
`)

export const shellPhrases = phrases(`
  enable JavaScript to run this app; enable JavaScript; JavaScript is disabled; JavaScript is not available;
  JavaScript is required; JavaScript is not enabled; requires JavaScript; work properly without JavaScript;
  turn on JavaScript; needs JavaScript; activate JavaScript; JavaScript aktivieren;
  aktivieren Sie JavaScript; benötigt JavaScript; activer JavaScript; activez JavaScript;
  habilitar JavaScript; habilite JavaScript; active JavaScript; ative o JavaScript; abilita JavaScript;
  abilitare JavaScript; schakel JavaScript in; JavaScript inschakelen; aktivera JavaScript;
  aktiver JavaScript; włącz JavaScript; włączyć JavaScript; zapněte JavaScript; povolte JavaScript;
  включите JavaScript; включить JavaScript; увімкніть JavaScript; JavaScript'i etkinleştirin; JavaScript を有効;
  JavaScriptを有効; 启用 JavaScript; 启用JavaScript; 啟用 JavaScript; JavaScript를 활성화; JavaScript を; تفعيل JavaScript;
  bật JavaScript; aktifkan JavaScript
`)

export const appRoots =
  setOf(`root app __next __nuxt ___gatsby q-app react-root app-root application app-mount main-app mount svelte
  ember-application reactroot appmount layers react-app vue-app spa`)

export const templateDescriptions = phrases(`
  Web site created using create-react-app; Generated by create next app; A Vite project; Vite + React app;
  An Ionic project
`)
