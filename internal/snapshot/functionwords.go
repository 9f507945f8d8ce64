package snapshot

import (
	"slices"
	"strings"
)

// isFunctionWord reports whether a folded word is a function word of the languages of the
// interface: articles, prepositions, particles, question words and verbs such as "get". They are
// the most frequent words of a language, independent of the catalogue.
func isFunctionWord(term string) bool {
	_, ok := slices.BinarySearch(functionWords, term)
	return ok
}

// isQuestionWord reports whether a folded function word begins a question about the meaning or
// use of something.
func isQuestionWord(term string) bool { return slices.Contains(questionWords, term) }

var questionWords = strings.Fields(`
	how what which where who
	como cual donde que quien
	どう どこ とは とは何 使い方 何 何ですか
	什么 什么是 什麼 什麼是 哪个 哪個 如何 怎么 怎么用 怎么样 怎樣 怎样 怎麼 怎麼樣 怎麼用 是什么 是什麼`)

var functionWords = func() []string {
	words := strings.Fields(`
		a an and any are as at be best by can do does find for from get give good has have how i in into is it list me my
		need of on or our please recommend recommended s should show some that the their them there these they this to top
		use using want was we what when where which who why will with without you your

		al algun alguna algunos como con cual cuales cuando de del desde donde el en es esta este esto hacer hay la las lo
		los mas mejor mejores mi mis necesito no o para por puedo que quien quiero se ser sin sobre son su sus tener todos
		tu un una unas uno unos usar ver y

		が から こと する です と とは どう どこ どの な なに に の のは は ください へ まで も や より を 何 何ですか 方法 使い方 おすすめ オススメ とは何
		って 一覧 使う 始め方 やり方 仕方 選び方 探す 教えて 知りたい したい ランキング 比較 人気

		と 一个 一個 与 與 个 個 了 什么 什麼 什么是 什麼是 从 從 吗 嗎 呢 和 哪个 哪個 哪些 哪里 哪裡 在 如何 对 對 我 我要 或 把 是 有
		有哪些 有没有 有沒有 最好 最好的 用 的 给 給 能 被 请 請 让 讓 跟 还 還 那 这 這 怎么 怎麼 怎样 怎樣 怎么样 怎麼樣 推荐 推薦
		大全 列表 清单 清單 排行 排行榜 排名 比较 比較 介绍 介紹 是什么 是什麼 怎么用 怎麼用 好用的 常用的`)
	slices.Sort(words)
	return slices.Compact(words)
}()
