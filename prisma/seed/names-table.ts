/** A name, with a Latin spelling for the email address if the name has other letters. */
export type Name = string | { written: string; latin: string };

/** First and last names that go together. Last names that differ by gender are left out. */
export interface NameGroup {
  firstNames: readonly Name[];
  lastNames: readonly Name[];
}

const written = (text: string, latin: string): Name => ({ written: text, latin });

/** Names by origin, as for a European shop that ships abroad. A group is chosen in proportion to its length. */
export const NAME_GROUPS: readonly NameGroup[] = [
  {
    firstNames: [
      "Anna",
      "Jürgen",
      "Lena",
      "Moritz",
      "Käthe",
      "Felix",
      "Hannah",
      "Jonas",
      "Sabine",
      "Björn",
      "Greta",
      "Till",
    ],
    lastNames: [
      "Müller",
      "Schäfer",
      "Vogt",
      "Weiß",
      "Krämer",
      "Brandt",
      "Lindner",
      "Böhm",
      "Hartmann",
      "Seidel",
      "Groß",
      "Albrecht",
    ],
  },
  {
    firstNames: ["Chloé", "Baptiste", "Léa", "Anaïs", "Théo", "Margaux", "Hugo", "Zoé", "François", "Inès"],
    lastNames: [
      "Lefèvre",
      "Moreau",
      "Garnier",
      "Besson",
      "d'Aubigny",
      "Chevalier",
      "Rousseau",
      "Lemaître",
      "Perrin",
      "Fournier",
    ],
  },
  {
    firstNames: ["Lucía", "Álvaro", "Carmen", "Íñigo", "Sofía", "Mateo", "Valentina", "Begoña", "Joaquín", "Noa"],
    lastNames: [
      "García Peña",
      "Núñez",
      "Ibáñez",
      "Ortega",
      "Vázquez",
      "Castaño",
      "Romero",
      "Echeverría",
      "Molina",
      "Serrano",
    ],
  },
  {
    firstNames: ["Giulia", "Lorenzo", "Chiara", "Matteo", "Alessia", "Niccolò", "Elena", "Davide"],
    lastNames: ["Ferrari", "Conti", "De Luca", "Marchetti", "Rinaldi", "Bellini", "D'Angelo", "Fontana"],
  },
  {
    firstNames: ["Søren", "Ingrid", "Åsa", "Lars", "Freja", "Øystein", "Saga", "Mikkel", "Aino", "Eero"],
    lastNames: [
      "Ødegård",
      "Lindqvist",
      "Sørensen",
      "Åkesson",
      "Nygaard",
      "Hämäläinen",
      "Bergström",
      "Kjær",
      "Virtanen",
      "Dahl",
    ],
  },
  {
    firstNames: ["Łukasz", "Agnieszka", "Małgorzata", "Paweł", "Zofia", "Grzegorz", "Kasia", "Bartłomiej"],
    lastNames: ["Wójcik", "Nowak", "Mazur", "Kowalczyk", "Dąbek", "Pawlak", "Sikora", "Król"],
  },
  {
    firstNames: ["Sanne", "Daan", "Femke", "Jeroen", "Lotte", "Bram", "Anouk", "Thijs"],
    lastNames: ["de Vries", "van den Berg", "Jansen", "Bakker", "Smit", "Hendriks", "van Dijk", "Mulder"],
  },
  {
    firstNames: ["Aoife", "Oliver", "Siobhán", "Callum", "Imogen", "Rhys", "Niamh", "Angus", "Beatrice", "Ewan"],
    lastNames: [
      "O'Connell",
      "Thornbury",
      "MacLeod",
      "Hughes",
      "Ashworth",
      "Byrne",
      "Pritchard",
      "Fairweather",
      "Kerr",
      "Doyle",
    ],
  },
  {
    firstNames: ["Ayşe", "Emre", "Zeynep", "Çağlar", "Elif", "Işıl", "Mehmet", "Gülşen"],
    lastNames: ["Yılmaz", "Şahin", "Öztürk", "Çelik", "Aydın", "Koç", "Doğan", "Arslan"],
  },
  {
    firstNames: ["Inês", "João", "Beatriz", "Thiago", "Conceição", "Rafael", "Mariana", "Gonçalo"],
    lastNames: ["Magalhães", "Teixeira", "Carvalho", "Simões", "Araújo", "Figueiredo", "Batista", "Lourenço"],
  },
  {
    firstNames: ["Oksana", "Taras", "Iryna", "Bohdan", "Solomiia", "Andrii"],
    lastNames: ["Shevchenko", "Bondarenko", "Kovalenko", "Melnyk", "Tkachuk", "Oliinyk"],
  },
  {
    firstNames: ["Priya", "Arjun", "Ananya", "Rohan", "Kavya", "Vikram", "Meera", "Sanjay"],
    lastNames: ["Iyer", "Chatterjee", "Patel", "Reddy", "Kulkarni", "Nair", "Banerjee", "Deshpande"],
  },
  {
    firstNames: ["Chiamaka", "Tunde", "Ngozi", "Kwame", "Adaeze", "Thabo", "Wanjiru", "Sipho"],
    lastNames: ["Okafor", "Adeyemi", "Mensah", "Nkosi", "Mwangi", "Eze", "Boateng", "Dlamini"],
  },
  {
    firstNames: ["Layla", "Omar", "Yasmin", "Karim", "Nour", "Tariq", "Salma", "Idris"],
    lastNames: ["El-Masri", "Haddad", "Benali", "Khoury", "Al-Sayed", "Mansour", "Rahmani", "Zeroual"],
  },
  {
    firstNames: ["Linh", "Minh", "Thảo", "Đức", "Mai", "Hương"],
    lastNames: ["Nguyễn", "Trần", "Phạm", "Đặng", "Võ", "Bùi"],
  },
  {
    firstNames: [
      written("陽子", "yoko"),
      written("健太", "kenta"),
      written("美咲", "misaki"),
      written("大輔", "daisuke"),
    ],
    lastNames: [written("佐藤", "sato"), written("渡辺", "watanabe"), written("小林", "kobayashi")],
  },
  {
    firstNames: ["Haruka", "Ren", "Sakura", "Takumi"],
    lastNames: ["Takahashi", "Mori", "Nakamura", "Fujita"],
  },
  {
    firstNames: [written("서연", "seoyeon"), written("민준", "minjun"), written("지우", "jiwoo")],
    lastNames: [written("김", "kim"), written("박", "park"), written("최", "choi")],
  },
  {
    firstNames: [written("子涵", "zihan"), written("伟", "wei"), written("晓玲", "xiaoling")],
    lastNames: [written("王", "wang"), written("陈", "chen"), written("黄", "huang")],
  },
  {
    firstNames: ["Hyun-woo", "Meiling", "Jun", "Soo-jin"],
    lastNames: ["Choi", "Lin", "Kang", "Zhang"],
  },
];
