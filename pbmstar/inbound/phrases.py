"""Tables of the words that mail programs write around a player's, by language: regular expressions.

Languages: en de fr es it nl pt pl ru, no/da, sv, zh, with some ja and fi.
"""

from __future__ import annotations

# -- Subject

REPLY_PREFIXES = (
    "re|fwd?",  # everybody's
    "aw|wg|antw(?:ort)?",  # de
    "tr|r[eé]f|r[eé]p",  # fr
    "rv|resp",  # es
    "r|i|rif",  # it
    "doorst|dst",  # nl
    "res|enc",  # pt
    "odp|pd",  # pl
    "отв|ответ|пересл|на",  # ru
    "sv|vs|vb|vl",  # no, da, sv, fi
    "回复|回覆|答复|答覆|转发|轉寄|轉發",  # zh
    "返信|転送",  # ja
)

SPAM_MARKS = (
    r"(?:(?:possible|possibly|probable|probably|suspected|likely|potential)[ _-]*)?"
    r"(?:spam|junk|bulk|phish(?:ing)?|virus|scam|unsure|external(?: e?-?mail| sender)?|ext|caution)"
)

OUT_OF_OFFICE = (
    r"auto(?:matic)?[ -]?(?:reply|response)\b|auto:|out[ -]of[ -](?:the[ -])?office",
    r"vacation (?:reply|response)",
    r"automatische antwort|abwesenheits(?:notiz|meldung|nachricht|assistent)|abwesend:",
    r"réponse automatique|absence du bureau|absente? du bureau|message d['’]absence",
    r"respuesta automática|fuera de la oficina|ausencia de la oficina",
    r"risposta automatica|fuori (?:sede|ufficio)",
    r"automatisch antwoord|afwezig(?:heid)?\b|niet aanwezig",
    r"resposta automática|fora do escritório|ausência do escritório",
    r"automatyczna odpowiedź|odpowiedź automatyczna|autoodpowiedź|poza biurem|nieobecność",
    r"автоматический ответ|автоответ|вне офиса|нет на месте",
    r"automatis?kt? svar|autosvar|fraværsmelding|fravær:|ikke til ?stede",
    r"frånvaro(?:meddelande)?\b|inte på kontoret",
    r"自动回复|自动答复|自動回覆|自動回應|外出",
    r"自動応答|自動返信|不在",
    r"automaattinen vastaus|poissa toimistosta",
)

BOUNCED = (
    r"(?:undeliverable|unzustellbar|returned mail|delivery failure|mail delivery failure):",
    r"undelivered mail returned|mail delivery failed|delivery status notification|failure notice\Z",
)

# -- attributions: the line, or two or three, before a quoted mail

WROTE = (
    "wrote|writes",
    "schrieb|schreibt",
    "a écrit|écrit",
    "escribió|escribio|escribe",
    "ha scritto|scrive",
    "schreef|schrijft",
    "escreveu|escreve",
    r"napisał\(a\)|napisała|napisał|pisze",
    r"написал\(а\)|написала|написал|пишет",
    "skrev|skriver",
    "写道|寫道|撰寫",
    "書きました|のメール",
    "kirjoitti",
)

# A line of an attribution with a date in it begins with one of these words, ...
ATTRIBUTION_WORDS = (
    "on|at", "am|den", "le", "el", "il|in data", "op", "em|no dia", "w dniu|dnia", "в",
    "på", "在|于|於",
)  # fmt: skip

# Subjects of a sentence about writing; an attribution has a name.

WE = "i|he|she|we|they|ich|er|sie|wir"

# -- headers of the quoted mail as lines of text

HEADER_NAMES = (
    "from|sent|to|cc|subject|date|reply-to",
    "von|gesendet|an|betreff|datum|kopie",
    "de|envoyé(?: le)?|à|a|objet|date",
    "enviado(?: el)?|para|asunto|fecha",
    "da|inviato|oggetto|data",
    "van|verzonden|aan|onderwerp",
    "enviad[oa](?: em)?|assunto",
    "od|wysłano|do|temat|dw",
    "от|отправлено|кому|копия|тема|дата",
    "fra|sendt|til|emne|dato|kopi",
    "från|skickat|till|ämne|kopia",
    "发件人|寄件者|发送时间|发送日期|寄件日期|傳送時間|收件人|收件者|抄送|主题|主旨|日期",
    "差出人|送信日時|宛先|件名|日時",
    "lähettäjä|lähetetty|vastaanottaja|aihe",
)

# -- our own letters about boards, which a quotation without marks begins with: their titles, and how their
# first line ends. Letters of earlier versions begin with the title.

BOARD = "board|brett|tablero|plateau"
TITLES = tuple(
    rf"(?:{words}) .{{1,40}} (?:{BOARD}) [0-9]+(?: ?[;:.].{{0,80}})?\Z"
    for words in (
        "summary of|score report of|record of|preview of|review of|your notes on",
        "zusammenfassung von|punkteabrechnung von|aufzeichnung von|vorschau von|analyse von|deine notizen zu",
        "resumen de|detalle del marcador de|registro de|vista previa de|análisis de|tus notas de",
        "résumé de|détail du score de|relevé de|aperçu de|analyse de|tes notes sur",
    )
)
OPENINGS = (
    r"(?:your (?:move|answer)|please answer), NAME|NAME to move|(?:you|NAME) (?:won|lost)(?: by [0-9]+)?"
    r"|a draw|no result|solved|the end|(?:you play|NAME plays) O, and it's (?:your|NAME's) move",
    r"du bist am zug, NAME|(?:deine antwort|bitte antworte), NAME|NAME ist am zug"
    r"|remis|kein ergebnis|gelöst|das ende|(?:du hast|NAME hat) (?:um [0-9]+ punkte? )?(?:gewonnen|verloren)"
    r"|(?:du spielst|NAME spielt) O(?:, und (?:du bist|NAME ist))?(?: und bist)? am zug",
    r"te toca, NAME|(?:tu respuesta|responde, por favor), NAME|le toca a NAME"
    r"|tablas|sin resultado|resueltos|el final"
    r"|(?:NAME )?(?:has|ha) (?:ganado|perdido)(?: por [0-9]+(?: puntos?)?)?"
    r"|(?:juegas|NAME juega) O, y (?:te toca|le toca a NAME)",
    r"à toi de jouer, NAME|(?:ta réponse|réponds, s'il te plaît), NAME|à NAME de jouer"
    r"|nulle|sans résultat|résolus|la fin|(?:tu as|NAME a) (?:gagné|perdu)(?: de [0-9]+(?: points?)?)?"
    r"|(?:tu joues|NAME joue) O, et c'est à (?:toi|NAME)",
)

# -- lines that begin a forwarded mail

FORWARDED = (
    "begin forwarded message",
    "anfang der weitergeleiteten (?:nachricht|e-?mail)",
    "début du message (?:réexpédié|transféré)",
    "(?:inicio|comienzo) del mensaje reenviado",
    "inizio (?:del )?messaggio inoltrato",
    "begin doorgestuurd bericht",
    "início da mensagem (?:reenviada|encaminhada)",
    "początek przekaz(?:yw)?anej wiadomości",
    "начало (?:переадресованного|пересылаемого) (?:сообщения|письма)",
    "start på videresendt (?:melding|meddelelse|besked)|videresendt melding",
    "vidarebefordrat (?:brev|mejl|meddelande)",
    "(?:下面是|以下是)?(?:被)?转发的邮件|开始转发的邮件|(?:下面是)?轉寄(?:的郵件|訊息|郵件)",
    "転送されたメッセージ",
)

# -- lines that phones and web mailers put under a message

ADVERTISED = (
    # a virus scanner, in everybody's language
    r"(?:virus-free|virenfrei|(?:garanti )?sans virus|libre de virus|privo di virus|virusvrij|livre de vírus"
    r"|wolny od wirusów)\. ?www\..*",
    r"sent (?:from|via|using|with) .*|get outlook for .*|get .* mail for .*|yahoo mail: .*",
    r"(?:von .* gesendet|gesendet (?:von|mit|über|aus) .*|diese (?:nachricht|e-mail) wurde von .*"
    r"|holen sie sich outlook .*|outlook für .* beziehen|outlook für .* herunterladen)",
    r"envoyé (?:de|depuis|à partir|avec) .*|(?:obtenez|obtenir|télécharger) outlook .*",
    r"enviado (?:desde|con) .*|(?:obtener|descargar) outlook .*",
    r"inviato (?:da|dal|con) .*|(?:ottieni|scarica) outlook .*",
    r"(?:verstuurd|verzonden|verstuurt) (?:vanaf|vanuit|met) .*|outlook voor .* downloaden"
    r"|download outlook voor .*",
    r"enviado (?:do|da|pelo|via|a partir) .*|(?:obter|baixe|baixar) (?:o )?outlook .*",
    r"wysłan[eoy] z .*|(?:pobierz|uzyskaj) (?:aplikację |program )?outlooka? .*",
    r"отправлено (?:с|из|от) .*|(?:получить|скачать) outlook .*",
    r"sendt (?:fra|via|med) .*|(?:få|hent) outlook .*",
    r"skickat från .*|hämta outlook .*",
    r"(?:发|發)自我?的? ?.*|从我的.*发送|從我的.*傳送|(?:获取|下載|取得).*outlook.*",
    r".{2,20}から送信",
    r"lähetetty .*|hanki outlook .*",
    r"(?:odesláno|odoslané|poslano|poslato) (?:ze?|s|iz|sa) .*",
    r"(?:послано|изпратено|надіслано|испратено) (?:от|з|із|од|со) .*",
    r"(?=.*küldve)(?:az |a )?.{2,20} ?-?(?:ról|ről|ból|ből) küldve",
    r"elküldve .*|trimis (?:de pe|din|cu|prin) .*",
    r"(?:στάλθηκε|εστάλη) από .*",
    r"(?=.*gönd[eə]rildi).{2,40}(?:(?:'?[dt][ae]n|mdan|mden) gönderildi|dan göndərildi)",
    r"나의 .*에서 보냄|.{2,30}에서 (?:보냄|발송됨|보낸 메일)",
    r"(?:来自|來自)我?的? ?.{0,20}(?:手机|手機|iphone|ipad|android).{0,10}",
    r"נשלח מ.*|(?:أُ?رسلت|تم الإرسال) (?:من|بواسطة) .*|ارسال شده از .*|از .{2,30} ارسال شد",
    r"(?:išsiųsta|saadetud|nosūtīts|enviat|trimès|bidalia) (?:iš|minu|no|des de|des del|del|de) .*",
    r"(?:được )?(?:gửi|đã gửi) từ .*|(?:dikirim|dihantar) (?:dari|daripada) .*|ส่งจาก.*|मेरे .* से भेजा गया",
    # in any language: Outlook for iOS, or a phone's name with its mark
    r".{0,30}outlook.{0,12} (?:ios|android)\b.{0,30}|blackberry\W.{0,60}",
    # a picture in the place of which a program has put a name or a description
    r"\[cid:[^\]]*\]|\[[^\]]*(?:logo|description|beschreibung)[^\]]*\]",
)

# -- what gateways put above a message from elsewhere

_ELSEWHERE = (
    r"(?:external|extern(?:e[rsn]?|o|a|al|í)?|eksterne?|outside|außerhalb|extérieure?|estern[oa]|buiten|fuera|fora"
    r"|zewnętrzn\w*|внешн\w*|külső|ulkoinen|外部)"
)
_MESSAGE = (
    r"(?:e?-?mails?|messages?|senders?|organi[sz]ations?|nachricht|absender|organisation|courriel|expéditeur"
    r"|mensaje|correo|remitente|messaggio|mittente|bericht|afzender|mensagem|wiadomość|письм\w*)"
)
BANNERS = (
    rf"\W*{_ELSEWHERE}(?:\W*|[ -]?{_MESSAGE}(?:\W.{{0,200}})?)",
    # CAUTION: This message comes from outside.
    rf"(?=.*\b{_MESSAGE}\b)(?=.*\b{_ELSEWHERE}\b)\W*"
    r"(?:[^\W\d_]+(?: [^\W\d_]+)?\W*[:!\u2013\uff1a-]|this|diese|ce|cet|est[ea]|questa?|deze|dit)\W.{0,300}",
    r"(?:some people who received this message don't often get|you don't often get|you have not previously"
    r"|sie erhalten nicht (?:oft|häufig)|einige personen, die diese nachricht erhalten haben, erhalten nicht"
    r"|vous n['’](?:obtenez|recevez) pas souvent|(?:no suele|no acostumbra a?) recibir|non si ricevono spesso"
    r"|u ontvangt niet vaak|você não costuma receber|nie otrzymujesz często|du får inte ofta|du får ikke ofte"
    r"|вы нечасто получаете) .{0,300}",
    r"[-=_*#~+]{5,}",
)
# A further sentence of the same paragraph.
BANNERS_GO_ON = (
    r".*\b(?:links?|attachments?|sender|organi[sz]ation|content is safe|anhänge?|absender|organisation"
    r"|verknüpfungen|expéditeur|pièces? jointes?|liens?|remitente|enlaces?|adjuntos?|mittente|allegati"
    r"|afzender|bijlagen?)\b.*"
)
BANNER_BEGINS, BANNER_ENDS = "zjqcmqryfpfptbannerstart", "zjqcmqryfpfptbannerend"  # Proofpoint

# -- a line of one of these ends the mail; above a name, CLOSINGS and THANKS begin a signature

NO_MORE = "stop"  # the answer of people who want no mail: with nothing above it, it is their word
END = frozenset((NO_MORE, "quit", "end"))
THANKS = frozenset(("thanks", "thank you", "thanx", "thx", "many thanks"))
# No names: below a closing word they are what the writer wants. Those of other languages are reply words, see
# grammar.words.
ANSWERS = frozenset((
    "accept", "cancel", "claim", "decline", "draw", "no", "ok", "okay", "pass", "rematch", "resign", "star",
    "swap", "undo", "yes",
    # de
    "ja", "jawohl", "einverstanden", "nein", "nee", "annehmen", "angenommen", "akzeptieren",
    "akzeptiert", "ablehnen", "abgelehnt", "passe", "passen", "gepasst", "tauschen", "tausch",
    "seitentausch", "aufgeben", "aufgabe", "zurücknehmen", "rückgängig", "zurück", "remis", "unentschieden",
    # fr
    "oui", "d'accord", "entendu", "non", "accepter", "accepte", "accepté", "j'accepte", "refuser",
    "décliner", "passer", "échanger", "échange", "j'échange", "abandonner", "abandon", "abandonne",
    "j'abandonne", "annuler", "reprendre", "nulle", "égalité",
    # es
    "sí", "vale", "aceptar", "acepto", "aceptado", "rechazar", "rechazo", "declinar", "paso", "pasar",
    "intercambiar", "intercambio", "rendirse", "rendirme", "abandono", "abandonar", "deshacer",
    "retroceder", "anular", "tablas", "empate",
    # it
    "sì", "d'accordo", "accettare", "accetto", "accettato", "rifiutare", "rifiuto", "declinare", "declino",
    "passo", "passare", "scambiare", "scambio", "arrendersi", "abbandono", "abbandonare", "annulla",
    "annullare", "patta", "pareggio", "parità",
    # nl
    "akkoord", "oké", "neen", "accepteren", "accepteer", "geaccepteerd", "aanvaarden", "weigeren",
    "afwijzen", "afslaan", "pas", "ruilen", "wisselen", "opgeven", "terugnemen", "terug", "remise",
    "gelijkspel",
    # pt
    "sim", "não", "aceitar", "aceito", "aceite", "recusar", "recuso", "rejeitar", "passar", "trocar",
    "troca", "desisto", "desistir", "rendo-me", "desfazer",
    # pl
    "tak", "zgoda", "nie", "akceptuję", "akceptuj", "akceptować", "przyjmuję", "przyjmij", "odrzucam",
    "odrzuć", "odmawiam", "pasuję", "pasować", "zamiana", "zamieniam", "zamień", "poddaję", "poddać",
    "rezygnuję", "cofnij", "cofam", "cofnąć",
))  # fmt: skip
CLOSINGS = (
    r"(?:(?:with )?(?:my |our )?(?:very |all the |all )?"
    r"(?:best|kind|kindest|warm|warmest|friendly) (?:regards|wishes)"
    r"|all the best|best|regards|rgds|kr|br|sincerely|cheers|greetings|take care|(?:yours|very) "
    r"(?:sincerely|truly|faithfully|respectfully)(?: yours)?"
    r"|(?:sincerely|truly|faithfully|respectfully) yours|yours)",
    r"(?:(?:mit )?(?:vielen |(?:ganz )?(?:lieben|herzlichen|freundlichen|besten|schönen) )(?:grüßen|gruß)"
    r"|(?:viele|liebe|beste|herzliche|freundliche|schöne) grüße|(?:lieber |schöner |schönen |lieben )?gruß"
    r"|grüße"
    r"|mfg|lg|vg|hochachtungsvoll)",
    r"(?:(?:bien |très )?cordialement|(?:bien|sincèrement) à (?:vous|toi)|amicalement|amitiés|bises"
    r"|(?:meilleures|cordiales|sincères) salutations|salutations(?: distinguées)?)",
    r"(?:(?:un (?:cordial |afectuoso )?)?saludos?(?: cordiales| cordial)?"
    r"|(?:un )?abrazos?|atentamente|cordialmente)",
    r"(?:(?:cordiali|distinti|cari) saluti|(?:un )?(?:caro )?salut[oi]|cordialmente)",
    r"(?:(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|mvg|groet(?:en|jes)?|hartelijks)",
    r"(?:atenciosamente|cumprimentos|(?:um )?abraços?|saudações|com os melhores cumprimentos)",
    r"(?:(?:z )?(?:poważaniem|wyrazami szacunku)|pozdrawiam|(?:serdeczne )?pozdrowienia)",
    r"(?:с уважением|с наилучшими пожеланиями|всего доброго)",
    r"(?:(?:med )?(?:vennlig(?:e)?|venlige?|beste|kærlig) hilsen(?:er)?|hilsen|mvh)",
    r"(?:(?:med )?vänliga? hälsning(?:ar)?|hälsningar|mvh)",
    r"(?:此致|祝好|敬具|よろしくお願いします)",
    r"(?:(?:ystävällisin|parhain) terveisin|terveisin|terv)",
)

# -- a yes to a letter that asks for one: a word, perhaps with another one or with thanks; as all below, in
# small letters without accents (so и for й)

YES = (
    "yes|yep|yeah|yup|y|ok|okay|sure|of course|confirm|confirmed|i confirm|i agree|agreed|go ahead"
    "|that(?:'s| is) right|it was me|i do",
    "ja|jawohl|bestatigen|bestatigt|bestatige|ich bestatige|einverstanden|in ordnung",
    "oui|d'accord|je confirme|confirmer|confirme|bien sur",
    "si|confirmo|lo confirmo|confirmar|confirmado|de acuerdo|vale|claro|por supuesto",
    "confermo|lo confermo|conferma|confermato|va bene|d'accordo|certo",
    "ja hoor|akkoord|bevestigen|bevestigd|ik bevestig|ik bevestig het",
    "sim|eu confirmo|de acordo|com certeza",
    "tak|potwierdzam|potwierdz|zgoda|zgadzam sie|oczywiscie",
    "да|подтверждаю",
    "jo|jeg bekrefter|jeg bekræfter|bekreft|bekræft",
    "jag bekraftar|bekrafta",
    "是|是的|好|好的|确认|確認",
    "はい",
    "kylla|joo|vahvistan",
)  # fmt: skip
WITH_YES = (
    "please|pls|gladly|with pleasure|thanks|thank you|thanx|thx|many thanks",
    "bitte|gern|gerne|klar|naturlich|danke|vielen dank",
    "volontiers|avec plaisir|merci|s'il vous plait|s'il te plait|svp|stp",
    "por favor|con gusto|encantad[oa]|gracias|muchas gracias",
    "volentieri|con piacere|per favore|per piacere|grazie",
    "natuurlijk|graag|alstublieft|alsjeblieft|dank je|dank u|dank je wel|bedankt",
    "obrigad[oa]|se faz favor",
    "chetnie|z przyjemnoscia|prosze|poprosze|dziekuje",
    "пожалуиста|спасибо",
    "tack|takk|tak",
)  # fmt: skip

# Words for no, besides the reply words that say it.

NO = ("no|nope|nah", "нет", "nej|nei", "不|不是|不用", "いいえ", "ei")

# Words that take a yes back if they follow it in the same paragraph, also without accents.

NOT_YES = frozenset((
    "no", "not", "never", "don't", "dont", "didn't", "didnt", "remove", "stop", "unsubscribe", "spam",
    "cancel", "delete", "but",
    "nein", "nicht", "nie", "kein", "keine", "keinen", "aber", "abmelden", "loschen",
    "non", "pas", "jamais", "aucun", "aucune", "mais", "supprimez", "arretez",
    "nunca", "pero", "baja", "borrar", "eliminar",
    "mai", "ma", "cancellami", "niet", "geen", "nooit", "maar",
    "nao", "mas", "remover", "ale", "usun", "zadnych",
))  # fmt: skip
