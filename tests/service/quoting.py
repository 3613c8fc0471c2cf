"""Replies as programs write them around ``D4`` and ``see you``, in languages and forms that nobody has told us of.

In braces: ``star`` is the sender of the letter that is answered, ``own`` and ``reply`` are the addresses of its
reader and for replies, ``subject`` is its Subject; ``letter`` is its text, ``quoted`` the same with a mark before
each line.
"""

from __future__ import annotations

# From, Sent, To, Subject, and a date, as Outlook writes them above the letter.
_HEADERS = {
    "is": ("Frá", "Sent", "Til", "Efni", "laugardagur, 28. nóvember 2026 12:41"),
    "cy": ("Oddi wrth", "Anfonwyd", "At", "Pwnc", "28 Tachwedd 2026 12:41"),
    "eu": ("Nork", "Bidaltze-data", "Nori", "Gaia", "larunbata, 2026(e)ko azaroaren 28a 12:41"),
    "gl": ("De", "Enviado o", "Para", "Asunto", "sábado, 28 de novembro de 2026 12:41"),
    "mk": ("Од", "Испратено", "До", "Предмет", "сабота, 28 ноември 2026 12:41"),
    "sq": ("Nga", "Dërguar", "Për", "Subjekti", "e shtunë, 28 nëntor 2026 12:41"),
    "sr": ("Šalje", "Poslato", "Za", "Tema", "subota, 28. novembar 2026. 12:41"),
    "az": ("Kimdən", "Göndərildi", "Kimə", "Mövzu", "28 noyabr 2026 12:41"),
    "ka": ("საიდან", "გაგზავნილია", "ვის", "თემა", "28 ნოემბერი, 2026 12:41"),
    "hy": ("Ումից", "Ուղարկված է", "Ում", "Թեմա", "28 նոյեմբերի 2026 12:41"),
    "kk": ("Кімнен", "Жіберілді", "Кімге", "Тақырыбы", "2026 ж. 28 қараша 12:41"),
    "ms": ("Daripada", "Dihantar", "Kepada", "Subjek", "Sabtu, 28 November 2026 12:41"),
    "hi": ("प्रेषक", "भेजा गया", "प्रति", "विषय", "28 नवंबर 2026 12:41"),
    "fa": ("از", "ارسال شده", "به", "موضوع", "شنبه ۲۸ نوامبر ۲۰۲۶ ۱۲:۴۱"),
    "mn": ("Илгээгч", "Илгээсэн", "Хүлээн авагч", "Гарчиг", "2026 оны 11-р сарын 28 12:41"),
}  # fmt: skip
_ATTRIBUTIONS = {
    "is": "lau., 28. nóv. 2026 kl. 12:41 skrifaði {star}:",
    "eu": "{star} erabiltzaileak hau idatzi du (2026 aza. 28, lr. (12:41)):",
    "sw": "Mnamo Jum, 28 Nov 2026 saa 12:41 {star} aliandika:",
    "az": "{star}, 28 noy 2026, Şən, 12:41 tarixində yazdı:",
    "ta": "சனி, 28 நவ., 2026 அன்று 12:41 PMக்கு, {star} எழுதியது:",
    "fa": "در تاریخ شنبه ۲۸ نوامبر ۲۰۲۶، ۱۲:۴۱ {star} نوشت:",
    "ka": "შაბ, 28 ნოე. 2026, 12:41 ავტორი {star} დაწერა:",
    "mk": "На саб., 28.11.2026 г. во 12:41 {star} напиша:",
    "no address": "Dňa 28. 11. 2026 o 12:41 bob at Star napísal(a):",
    "two lines": "Sun 28 Nov 2026 klo 12:41 bob at Star\n<star@pbm.example> kirjoitettu:",
}
_OWN = "D4\n\nsee you\n\n"

FORMS = {
    **{
        f"header {language}": f"{_OWN}{sender}: {{star}}\n{sent}: {date}\n{to}: {{own}}\n{about}: {{subject}}\n\n{{letter}}"
        for language, (sender, sent, to, about, date) in _HEADERS.items()
    },
    **{f"above {name}": f"{_OWN}{said}\n\n{{quoted}}" for name, said in _ATTRIBUTIONS.items()},
    **{f"below {name}": f"{said}\n\n{{quoted}}\n\n{_OWN}" for name, said in _ATTRIBUTIONS.items()},
    "stars around names": f"{_OWN}*Feladó:* {{star}}\n*Elküldve:* szombat 12:41\n*Címzett:* {{own}}\n*Tárgy:* {{subject}}\n\n{{letter}}",
    "no address in the header": f"{_OWN}Frá: bob at Star\nSent: 28. nóvember 2026 12:41\nTil: alice\nEfni: {{subject}}\n\n{{letter}}",
    "a rule above": f"{_OWN}________________________________\nOddi wrth: {{star}}\nAt: {{own}}\n\n{{letter}}",
    "own address above": f"{_OWN}{{own}}\n\nGửi bởi: bob at Star\nNgày: 2026-11-28 12:41\nĐến: alice\n\n{{letter}}",
    "of her own mail": f"{_OWN}Od: {{own}}\nKomu: {{reply}}\nPredmet: Re: {{subject}}\n\nhello\n",
    "wide colons": f"{_OWN}寄件人： {{star}}\n日期時間： 2026-11-28 12:41\n送達： {{own}}\n題目： {{subject}}\n{{letter}}",
    "links of buttons": f"{_OWN}Od: {{star}}\nKomu: {{own}}\n\nYour move, alice\nD4<mailto:{{reply}}?subject=D4>\nC3<mailto:{{reply}}?subject=C3>\n",
    "one line": f"{_OWN}Στις 28 Νοε 2026 στις 12:41, ο χρήστης {{star}} έγραψε:   {{letter}}",
    "one line with a dash": f"{_OWN}  Dňa 28. 11. 2026 12:41 {{star}} napísal:  {{letter}}",
    "a bar": f"{_OWN}lau 28. nóv. 2026 12:41, {{star}}:\n| Summary of Star Board 1\n| Your move\n",
    "no mark at all": f"{_OWN}{{letter}}",
    "a dash in place of a colon": f"{_OWN}bob at Star — 28 Νοε 2026 12:41 — star@pbm.example\n{{quoted}}",
    "a name alone": f"{_OWN}{{star}} 28/11/2026 12.41\n{{quoted}}",
    "four lines": f"{_OWN}lau 28. nóv. 2026\nkl. 12:41\nbob at Star\n<star@pbm.example>:\n\n{{quoted}}",
    "phone's line above": f"{_OWN}나의 iPhone에서 보냄\n\n2026. 11. 28. 오후 12:41, {{star}} 작성:\n\n{{quoted}}",
}

# The same of programs that people have reported, and what is not "see you" of it.
_CZECH = (
    "Od: {star}\nOdesláno: sobota 28. listopadu 2026 12:41\nKomu: {own}\nPředmět: {subject}\n\n"
)
REPORTED = {
    "Outlook in Czech": f"{_OWN}{_CZECH}{{letter}}",
    "Outlook in Czech, with links": f"{_OWN}{_CZECH}D4<mailto:{{reply}}?subject=D4>\n{{letter}}",
    "Outlook in Korean": f"{_OWN}보낸 사람: {{star}}\n보낸 날짜: 2026년 11월 28일 토요일 오후 12:41\n받는 사람: {{own}}\n제목: {{subject}}\n\n{{letter}}",
    "Foxmail": f"{_OWN}\n\n{{own}}\n \n发件人： bob at Star\n发送时间： 2026-11-28 12:41\n收件人： alice\n主题： {{subject}}\n{{letter}}",
    "Gmail in Czech": f"so 28. 11. 2026 v 13:29 odesílatel {{star}} napsal:\n\n{{quoted}}\n\n{_OWN}",
    "Gmail in Greek": f"{_OWN}Στις Σάβ 28 Νοε 2026 στις 1:29 μ.μ., ο χρήστης {{star}} έγραψε:\n\n{{quoted}}",
    "Gmail in German, broken": f'{_OWN}Am 28.11.2026 17:48 schrieb "bob at Star" <star@star.example.or\ng\n>:\n\n{{quoted}}',
    "Polymail": f"{_OWN}On Sat, Nov 28, 2026 at 10:08 PM bob at Star\n\n<\nmailto:{{star}}\n> wrote:\n\n{{letter}}",
    "Nextcloud": f'{_OWN}"bob at Star" star@pbm.example – November 28, 2026 12:41 PM\n{{quoted}}',
    "Yahoo": f"{_OWN}Yahoo Mail: Search, Organize, Conquer \n \n  On Sat, Nov 28, 2026 at 12:41, {{star}} wrote:   {{letter}}",
    "a banner of dashes": f"---------- EXTERNAL ----------\n\n{_OWN}",
    "a banner of Proofpoint": f"ZjQcmQRYFpfptBannerStart\nThis Message Is From an External Sender\nThis message came from outside your organization.\n \nZjQcmQRYFpfptBannerEnd\n\n{_OWN}",
}

# Below D4: sentences that look like an attribution or a header, and quote nothing.
SENTENCES = [
    "Am 5.12.2026 schrieb ich dir:\nDer Zug kommt um acht.\nBis dann",
    "El 5/12/2026 mi hermana escribe:\nsuite",
    "Le 5 décembre 2026 Paul écrit :\nà bientôt",
    "On 5 Dec 2026 at 20:00 she wrote:\nI shall come.",
    "Il 5/12/2026 alle 20:00 ha scritto:\nci vediamo",
    "Op 5-12-2026 schreef mijn broer:\ntot dan",
    "Von: mir\nAn: alle\nviel Glück",
    "Date: Monday\nTo: the park",
    "PS: see you\nPPS: at 20:00",
]

# HTML of Outlook, whose header is in Czech: a line above it, and the old letter.
HTML = {
    "a box": "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>",
    "a blue box": '<div><div style="border:none; border-top:solid #B5C4DF 1.0pt">',
    "a box of the web": '<div><div style="border-right:none;border-top:1pt solid rgb(225, 225, 225)">',
    "a line": '<hr tabindex="-1" style="display:inline-block; width:98%"><div><div>',
}
HTML_REPLY = (
    "<html><body><p>D4</p><p>see you</p>{line}<p><b>Od:</b> bob at Star<br><b>Komu:</b> alice</p></div></div>"
    "<p>An old letter.</p></body></html>"
)
