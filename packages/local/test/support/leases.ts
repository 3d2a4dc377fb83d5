import type { Draft } from './segment.ts';

export interface Lease {
  readonly language: string;
  /** The first answers the question. */
  readonly sections: readonly Draft[];
  /** Asks with another form of the first heading, and a word that only the other sections hold as it stands. */
  readonly question: string;
}

/** The same short lease in every language whose documents are told apart. */
export const LEASES: readonly Lease[] = [
  lease('da', 'Hvilke opsigelsesfrister gælder for boligen?', [
    ['Opsigelsesfrist', 'Lejeren kan sige aftalen op med tre måneders varsel til den første i en måned.'],
    [
      'Depositum',
      'Når du flytter ind i boligen, skal du betale et depositum, som du får igen efter fraflytning.',
    ],
    ['Husdyr', 'Små dyr er tilladt i boligen, hvis de ikke er til gene for de andre i huset.'],
  ]),
  lease('de', 'Welche Kündigungsfristen gelten für die Wohnung?', [
    ['Kündigungsfrist', 'Der Mieter kann den Vertrag mit drei Monaten Vorlauf zum Ende eines Monats lösen.'],
    ['Kaution', 'Sie ist bei der Übergabe der Wohnung zu zahlen und wird nach dem Auszug zurückgegeben.'],
    ['Haustiere', 'Kleine Tiere sind in der Wohnung erlaubt, wenn sie die anderen im Haus nicht stören.'],
  ]),
  lease('el', 'Ποια συμβόλαια και ποιες εγγυήσεις ισχύουν για την κατοικία;', [
    [
      'Εγγύηση',
      'Ο ενοικιαστής μπορεί να λύσει τη σύμβαση με προειδοποίηση τριών μηνών από την αρχή του μήνα.',
    ],
    [
      'Χρήματα',
      'Τα χρήματα πληρώνονται με την είσοδο στην κατοικία και επιστρέφονται μετά από την αποχώρηση.',
    ],
    ['Ζώα', 'Τα μικρά ζώα επιτρέπονται στην κατοικία αν δεν ενοχλούν τους άλλους και αν είναι καθαρά.'],
  ]),
  lease('es', '¿Qué cancelaciones valen para la vivienda?', [
    ['Cancelación', 'El inquilino puede dejar el piso con tres meses de aviso antes del fin de un mes.'],
    ['Fianza', 'La fianza se paga con la entrega de la vivienda y se devuelve después de la salida.'],
    ['Animales', 'Los animales pequeños están permitidos en la vivienda si no molestan a los demás.'],
  ]),
  lease('fi', 'Mistä vakuutuksen saa asuntoon?', [
    [
      'Vakuutukset',
      'Vuokralaisella on oltava voimassa oleva turva, ja hän hankkii sen itse ennen kuin hän muuttaa.',
    ],
    ['Takuu', 'Kun muutat asuntoon, on takuu maksettava, ja saat sen takaisin, kun olet muuttanut pois.'],
    ['Eläimet', 'Pienet eläimet ovat sallittuja, jos ne eivät häiritse muita, jotka ovat samassa talossa.'],
  ]),
  lease('fr', 'Comment se passent les résiliations pour le logement ?', [
    [
      'Résiliation',
      'Le locataire peut quitter les lieux avec un préavis de trois mois, à la fin de chaque mois.',
    ],
    ['Caution', 'Elle est versée à la remise du logement et elle est rendue après le départ.'],
    ['Animaux', 'Les petits animaux sont admis dans le logement, s’ils ne gênent pas les voisins.'],
  ]),
  lease('hu', 'Milyen felmondásról van szó a lakás esetében?', [
    [
      'Felmondás',
      'A bérlő három hónappal a hónap vége előtt írja meg, ha el akar költözni, és ezt nem kell indokolni.',
    ],
    ['Kaució', 'A kaució a lakás átadásakor fizetendő, és azt a kiköltözés után kell visszaadni.'],
    ['Állatok', 'Kis állatok a lakás minden részében lehetnek, ha nem zavarják azt, aki a házban él.'],
  ]),
  lease('it', 'Quali disdette valgono per l’abitazione?', [
    ['Disdetta', 'Il conduttore può lasciare i locali con un preavviso di tre mesi, alla fine di ogni mese.'],
    ['Cauzione', 'La cauzione si paga con la consegna dell’abitazione e viene resa dopo l’uscita.'],
    ['Animali', 'Gli animali piccoli sono ammessi nell’abitazione se non danno fastidio agli altri.'],
  ]),
  lease('nl', 'Welke opzegtermijnen gelden voor de woning?', [
    [
      'Opzegtermijn',
      'De huurder kan het contract met drie maanden vooraf aan het einde van een maand beëindigen.',
    ],
    ['Borg', 'De borg wordt bij het begin voor de woning betaald en na het vertrek teruggegeven.'],
    ['Huisdieren', 'Kleine dieren zijn in de woning toegestaan als ze de anderen niet storen.'],
  ]),
  lease('no', 'Hvilke oppsigelsesfrister gjelder for boligen?', [
    ['Oppsigelsesfrist', 'Leietakeren kan si opp avtalen med tre måneders varsel til den første i en måned.'],
    [
      'Depositum',
      'Når du flytter inn i boligen, må du betale et depositum, som du får tilbake etter utflytting.',
    ],
    ['Husdyr', 'Små dyr er tillatt i boligen, hvis de ikke er til bry for de andre i huset.'],
  ]),
  lease('pt', 'Quais renovações valem para a habitação?', [
    [
      'Renovação',
      'O inquilino pode ficar mais um ano se não avisar com três meses antes do fim do contrato.',
    ],
    ['Caução', 'A caução é paga com a entrega da habitação e é devolvida depois da saída.'],
    ['Animais', 'Os animais pequenos são permitidos na habitação se não incomodam os outros.'],
  ]),
  lease('ro', 'Care sunt contractele pentru locuință?', [
    ['Contract', 'Chiriașul poate pleca dacă anunță cu trei luni înainte de sfârșitul unei luni.'],
    ['Garanție', 'Garanția se plătește la predarea pentru locuință și se restituie după ce ați plecat.'],
    ['Animale', 'Animalele mici sunt permise pentru locuință dacă nu îi deranjează pe ceilalți din casă.'],
  ]),
  lease('ru', 'Каков порядок расторжения для квартиры?', [
    ['Расторжение', 'Жилец может уйти, если он сообщит об этом за три месяца до конца месяца.'],
    ['Залог', 'Залог вносится при передаче квартиры и будет возвращён после того, как вы уедете.'],
    ['Животные', 'Небольшие животные в комнатах квартиры не запрещены, если они никому не мешают.'],
  ]),
  lease('sv', 'Vilka uppsägningstider gäller för bostaden?', [
    [
      'Uppsägningstid',
      'Hyresgästen kan säga upp avtalet med tre månaders varsel till den första i en månad.',
    ],
    [
      'Deposition',
      'När du flyttar in i bostaden ska du betala en deposition, som du får igen efter flytten.',
    ],
    ['Husdjur', 'Små djur är tillåtna i bostaden om de inte är till besvär för de andra i huset.'],
  ]),
  lease('tr', 'Sözleşmenin konut için süresi nedir?', [
    [
      'Sözleşmeler',
      'Kiracı üç ay önce haber vermek şartı ile her ay çıkabilir, ve bunun için bir neden gerekli değil.',
    ],
    ['Depozito', 'Konut için depozito ilk gün ödenir ve çıkıştan sonra bu para geri verilir.'],
    [
      'Hayvanlar',
      'Küçük hayvanlar konut için sorun değil, ama onlar çok ses çıkarmamalı ve her yer temiz olmalı.',
    ],
  ]),
];

function lease(language: string, question: string, sections: readonly (readonly [string, string])[]): Lease {
  return { language, question, sections: sections.map(([title, text]) => ({ title, text })) };
}
