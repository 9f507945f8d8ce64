package large

// locales are the languages of the accounts, the default first.
var locales = []string{"en", "es", "ja", "pt-br", "zh-hans"}

// word is one word or phrase in every language, in the order of locales.
type word [5]string

// topics are the categories, with the slug in the first field.
var topics = []struct {
	slug string
	name word
}{
	{"oceans", word{"ocean research", "investigación oceánica", "海洋研究", "pesquisa oceânica", "海洋研究"}},
	{"bread", word{"sourdough baking", "panadería artesanal", "パン作り", "panificação artesanal", "手工面包"}},
	{"trains", word{"night trains", "trenes nocturnos", "夜行列車", "trens noturnos", "夜行火车"}},
	{"maps", word{"open maps", "mapas abiertos", "オープン地図", "mapas abertos", "开放地图"}},
	{"chess", word{"correspondence chess", "ajedrez por correspondencia", "通信チェス", "xadrez por correspondência", "通信国际象棋"}},
	{"solar", word{"solar energy", "energía solar", "太陽光発電", "energia solar", "太阳能发电"}},
	{"ceramics", word{"ceramics", "cerámica", "陶芸", "cerâmica", "陶瓷艺术"}},
	{"databases", word{"databases", "bases de datos", "データベース", "bancos de dados", "数据库"}},
	{"birds", word{"bird watching", "observación de aves", "野鳥観察", "observação de aves", "观鸟活动"}},
	{"compilers", word{"compilers", "compiladores", "コンパイラ", "compiladores", "编译器"}},
	{"gardens", word{"city gardens", "huertos urbanos", "都市農園", "hortas urbanas", "城市花园"}},
	{"jazz", word{"jazz records", "discos de jazz", "ジャズの録音", "discos de jazz", "爵士唱片"}},
	{"robots", word{"small robots", "robots pequeños", "小型ロボット", "robôs pequenos", "小型机器人"}},
	{"typography", word{"typography", "tipografía", "書体デザイン", "tipografia", "字体设计"}},
	{"cycling", word{"touring bicycles", "cicloturismo", "自転車の旅", "cicloturismo", "自行车旅行"}},
	{"astronomy", word{"amateur astronomy", "astronomía aficionada", "天体観測", "astronomia amadora", "业余天文"}},
	{"payments", word{"payment networks", "redes de pago", "決済ネットワーク", "redes de pagamento", "支付网络"}},
	{"security", word{"software security", "seguridad informática", "情報セキュリティ", "segurança de software", "软件安全"}},
	{"wallets", word{"hardware wallets", "billeteras físicas", "ハードウェアウォレット", "carteiras físicas", "硬件钱包"}},
	{"translation", word{"literary translation", "traducción literaria", "文芸翻訳", "tradução literária", "文学翻译"}},
	{"radio", word{"shortwave radio", "radio de onda corta", "短波ラジオ", "rádio de ondas curtas", "短波电台"}},
	{"weather", word{"weather stations", "estaciones meteorológicas", "気象観測所", "estações meteorológicas", "气象观测站"}},
	{"tea", word{"tea farming", "cultivo del té", "茶の栽培", "cultivo de chá", "茶叶种植"}},
	{"archives", word{"public archives", "archivos públicos", "公文書館", "arquivos públicos", "公共档案"}},
}

var roles = []word{
	{"Journal", "Revista", "専門誌", "Revista", "期刊"},
	{"Workshop", "Taller", "工房", "Oficina", "工作坊"},
	{"Research group", "Grupo de investigación", "研究グループ", "Grupo de pesquisa", "研究小组"},
	{"Non-profit", "Organización sin ánimo de lucro", "非営利団体", "Organização sem fins lucrativos", "非营利组织"},
	{"Small studio", "Pequeño estudio", "小さなスタジオ", "Pequeno estúdio", "小型工作室"},
	{"Podcast", "Pódcast", "ポッドキャスト", "Podcast", "播客节目"},
	{"Open-source project", "Proyecto de código abierto", "オープンソース計画", "Projeto de código aberto", "开源项目"},
	{"Cooperative", "Cooperativa", "協同組合", "Cooperativa", "合作社"},
	{"Weekly newsletter", "Boletín semanal", "週刊ニュースレター", "Boletim semanal", "每周通讯"},
	{"School", "Escuela", "学校", "Escola", "学校"},
	{"Museum", "Museo", "博物館", "Museu", "博物馆"},
	{"Laboratory", "Laboratorio", "実験室", "Laboratório", "实验室"},
}

var places = []word{
	{"Lisbon", "Lisboa", "リスボン", "Lisboa", "里斯本"},
	{"Osaka", "Osaka", "大阪", "Osaka", "大阪"},
	{"Montevideo", "Montevideo", "モンテビデオ", "Montevidéu", "蒙得维的亚"},
	{"Chengdu", "Chengdú", "成都", "Chengdu", "成都"},
	{"Helsinki", "Helsinki", "ヘルシンキ", "Helsinque", "赫尔辛基"},
	{"Valencia", "Valencia", "バレンシア", "Valência", "巴伦西亚"},
	{"Recife", "Recife", "レシフェ", "Recife", "累西腓"},
	{"Nairobi", "Nairobi", "ナイロビ", "Nairóbi", "内罗毕"},
	{"Vancouver", "Vancouver", "バンクーバー", "Vancouver", "温哥华"},
	{"Sapporo", "Sapporo", "札幌", "Sapporo", "札幌"},
	{"Curitiba", "Curitiba", "クリチバ", "Curitiba", "库里蒂巴"},
	{"Hangzhou", "Hangzhou", "杭州", "Hangzhou", "杭州"},
	{"Edinburgh", "Edimburgo", "エディンバラ", "Edimburgo", "爱丁堡"},
	{"Bogotá", "Bogotá", "ボゴタ", "Bogotá", "波哥大"},
	{"Tallinn", "Tallin", "タリン", "Tallinn", "塔林"},
	{"Melbourne", "Melbourne", "メルボルン", "Melbourne", "墨尔本"},
}

var things = []word{
	{"field notes", "notas de campo", "現地の記録", "notas de campo", "现场笔记"},
	{"free courses", "cursos gratuitos", "無料講座", "cursos gratuitos", "免费课程"},
	{"long interviews", "entrevistas largas", "長い対談", "entrevistas longas", "深度访谈"},
	{"tools for beginners", "herramientas para principiantes", "初心者向けの道具", "ferramentas para iniciantes", "入门工具"},
	{"data for everyone", "datos para todos", "誰でも使えるデータ", "dados para todos", "公开数据"},
	{"monthly reports", "informes mensuales", "月次報告", "relatórios mensais", "每月报告"},
	{"good questions", "buenas preguntas", "よい問い", "boas perguntas", "好问题"},
	{"careful reviews", "reseñas detalladas", "丁寧な批評", "resenhas cuidadosas", "细致评论"},
	{"old photographs", "fotografías antiguas", "古い写真", "fotografias antigas", "老照片"},
	{"release notes", "notas de versión", "更新情報", "notas de versão", "版本说明"},
	{"events nearby", "eventos cercanos", "近くの催し", "eventos próximos", "附近活动"},
	{"patient answers", "respuestas pacientes", "根気強い回答", "respostas pacientes", "耐心解答"},
}

// openings and sentences are the parts of descriptions, by language in the order of locales.
// {role}, {topic}, {also}, {place}, {thing}, {name} and {year} are replaced; {also} is another
// topic, {name} another account's name.
var openings = [5][]string{
	{"{role} about {topic} in {place}.", "{role} for {topic}, based in {place}."},
	{"{role} sobre {topic} en {place}.", "{role} de {topic}, con sede en {place}."},
	{"{place}にある{topic}の{role}です。", "{topic}を扱う{place}の{role}。"},
	{"{role} sobre {topic} em {place}.", "{role} de {topic}, com sede em {place}."},
	{"位于{place}的{topic}{role}。", "{place}的{role}，专注于{topic}。"},
}

var sentences = [5][]string{
	{"We share {thing}.", "Since {year}.", "Also {also}.", "Friends of {name}.", "Made with {name}.", "Ask us about {also}!", "New: {thing} every week.", "{thing} & coffee.", "Opinions are our own."},
	{"Compartimos {thing}.", "Desde {year}.", "También {also}.", "Amigos de {name}.", "Hecho con {name}.", "¡Pregunta por {also}!", "Nuevo: {thing} cada semana.", "{thing} y café.", "Opiniones propias."},
	{"{thing}を公開しています。", "{year}年から活動中。", "{also}も好きです。", "{name}の仲間。", "{name}と共同制作。", "{also}についてお気軽にどうぞ！", "毎週{thing}を更新。", "{thing}とコーヒー。", "意見は個人のものです。"},
	{"Compartilhamos {thing}.", "Desde {year}.", "Também {also}.", "Amigos de {name}.", "Feito com {name}.", "Pergunte sobre {also}!", "Novo: {thing} toda semana.", "{thing} e café.", "Opiniões próprias."},
	{"我们分享{thing}。", "成立于{year}年。", "也关注{also}。", "{name}的朋友。", "与{name}合作。", "欢迎询问{also}！", "每周更新{thing}。", "{thing}与咖啡。", "仅代表个人观点。"},
}

// Names consist of syllables, so that they are many and fictitious.
var (
	syllables = []string{
		"ba", "bri", "cal", "dor", "du", "el", "fen", "fo", "gal", "go", "hi", "hul", "ib", "jo", "ka", "kel", "lan", "lo",
		"lu", "mar", "mi", "mon", "na", "nix", "no", "or", "pal", "pe", "qui", "ra", "rin", "ros", "sa", "sel", "su", "ta",
		"tev", "ti", "tor", "ul", "va", "ven", "vo", "wen", "xa", "yor", "za", "zim",
	}
	kinds = []string{"Labs", "Journal", "Collective", "Studio", "Works", "Notes", "Guild", "Daily", "Foundation", "Press", "Society", "Club"}
)
