/** Texts of every kind that documents hold, for whatever must fit a model's context. All of it written here. */

const numbers = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

const next = numbers(7);
const amount = () => `${1 + next(899)},${String(next(1000)).padStart(3, '0')}`;
const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join('\n');

const table = rows(
  60,
  (index) =>
    `${['Net sales', 'Cost of goods sold', 'Purchases of property, plant and equipment', 'Change in working capital'][index % 4]} | ${amount()} | (${amount()}) | ${next(99)}.${next(10)} % | — | $ ${amount()}`,
);
const bareNumbers = rows(80, () => [amount(), amount(), `(${amount()})`, amount()].join(' '));
const csv = rows(
  80,
  (index) =>
    `${index},2026-0${1 + (index % 9)}-1${index % 10},${next(1e9)},${(next(1e6) / 100).toFixed(2)},"Plant ${index}"`,
);
const contents = rows(60, (index) => `Item ${index}. Of the business ${'.'.repeat(20 + index)} ${index * 3}`);
const hex = rows(40, () => Array.from({ length: 60 }, () => next(16).toString(16)).join(''));
const code = rows(
  30,
  (index) =>
    `  if (state.rows[${index}]?.isDirty === true) {\n\t\tconst { a_${index}: value, ...rest } = JSON.parse('{"a":[${index}]}');\n    await flush(value ?? rest, { retries: ${index} }); // see §${index}\n  }`,
);

export const textKinds: Readonly<Record<string, string>> = {
  'prose in English':
    'Employees may work remotely for up to forty-five days a year, provided that their manager agrees in writing. Anything beyond that needs the approval of the personnel department, which answers within ten working days. '.repeat(
      8,
    ),
  'a table of figures': table,
  'figures alone': bareNumbers,
  'comma-separated values': csv,
  'a table of contents': contents,
  'program code': code,
  JSON: JSON.stringify(
    {
      list: Array.from({ length: 40 }, (_, id) => ({
        id,
        name: `n-${next(1e6)}`,
        flags: [true, null, 0.5],
        path: 'C:\\temp\\x',
      })),
    },
    null,
    2,
  ),
  'hexadecimal digests': hex,
  'headings in capitals':
    'ITEM 7A. QUANTITATIVE AND QUALITATIVE DISCLOSURES ABOUT MARKET RISK. CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME (LOSS), IN MILLIONS. '.repeat(
      6,
    ),
  'quoted speech': "“No,” she said; “it's 'his' — not \"theirs\"!” (…) ".repeat(20),
  German:
    'Für Beschäftigte, die außerhalb der Arbeitsstätte tätig sind, gelten die Bestimmungen über Arbeitszeiterfassung und Gesundheitsschutz entsprechend. Die Grundstücksverkehrsgenehmigungszuständigkeit bleibt unberührt. '.repeat(
      6,
    ),
  Polish:
    'Pracownicy zatrudnieni w pełnym wymiarze czasu pracy mają prawo do urlopu wypoczynkowego. Zażółć gęślą jaźń. '.repeat(
      8,
    ),
  Turkish: 'Çalışanların yıllık ücretli izin hakkı işyerinde geçen hizmet süresine göre belirlenir. '.repeat(
    8,
  ),
  Finnish:
    'Työntekijällä on oikeus vuosilomaan, jonka pituus määräytyy työsuhteen keston perusteella. '.repeat(8),
  'names of people':
    'Wojciech Szczęsny, Siobhán Ní Dhomhnaill, Þórdís Kolbrún Gylfadóttir, Nguyễn Thị Phượng. '.repeat(8),
  Chinese:
    '员工每年享有十五天带薪年假。请假申请应提前两周提交给直属经理。公司鼓励远程办公，但须遵守信息安全规定。'.repeat(
      8,
    ),
  Japanese:
    '従業員は年間二十日の有給休暇を取得できます。リモートワークは上司の承認を得て、月に十日まで認められています。'.repeat(
      8,
    ),
  Korean:
    '직원은 연간 십오 일의 유급 휴가를 사용할 수 있습니다. 원격 근무는 관리자의 승인을 받아야 합니다. '.repeat(
      8,
    ),
  Hindi: 'कर्मचारियों को प्रति वर्ष पंद्रह दिन का सवेतन अवकाश मिलता है। '.repeat(8),
  Arabic: 'يحق للموظفين الحصول على إجازة سنوية مدفوعة الأجر مدتها واحد وعشرون يومًا. '.repeat(8),
  Thai: 'พนักงานมีสิทธิ์ลาพักร้อนประจำปีสิบห้าวันโดยได้รับค่าจ้าง '.repeat(8),
  Russian:
    'Работники имеют право на ежегодный оплачиваемый отпуск продолжительностью двадцать восемь дней. '.repeat(
      8,
    ),
  Greek: 'Οι εργαζόμενοι δικαιούνται ετήσια άδεια με αποδοχές είκοσι εργάσιμων ημερών. '.repeat(8),
  emoji: '🙂🚀👩‍💻🏳️‍🌈❤️🔥✅ '.repeat(40),
  'glyphs of a PDF’s own font': '\uf0b7 \uf0a7 item \uf06c text \u0001\u0002 '.repeat(40),
};
