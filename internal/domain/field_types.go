package domain

import "slices"

// Constructors, one for each type of field.

func lineField[R any](t Type, name string, at func(*R) *string) *Field {
	return &Field{
		Name: name, Type: t,
		line:  func(r any) *string { return at(r.(*R)) },
		equal: func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func textField[R any](name string, at func(*R) *Text) *Field {
	return &Field{
		Name: name, Type: TypeText,
		text:  func(r any) *Text { return at(r.(*R)) },
		equal: func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

func linesField[R any](name string, at func(*R) *[]string) *Field {
	return &Field{
		Name: name, Type: TypeLines,
		lines:  func(r any) []string { return *at(r.(*R)) },
		setAll: func(r any, lines []string) { *at(r.(*R)) = lines },
		equal:  func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// wordsField is a linesField of strings that have a type of their own.
func wordsField[R any, S ~string](name string, at func(*R) *[]S) *Field {
	return &Field{
		Name: name, Type: TypeLines,
		lines:  func(r any) []string { return convert[string](*at(r.(*R))) },
		setAll: func(r any, lines []string) { *at(r.(*R)) = convert[S](lines) },
		equal:  func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// convert returns nil for an empty list.
func convert[To, From ~string](list []From) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, s := range list {
		out[i] = To(s)
	}
	return out
}

func numberField[R any](name string, at func(*R) *float64) *Field {
	return &Field{
		Name: name, Type: TypeNumber,
		number: func(r any) *float64 { return at(r.(*R)) },
		equal:  func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func figureField[R any](name FigureName, at func(*R) **Figure) *Field {
	return &Field{
		Name: string(name), Type: TypeFigure,
		figure: func(r any) **Figure { return at(r.(*R)) },
		equal:  func(a, b any) bool { return (*at(a.(*R))).Equal(*at(b.(*R))) },
	}
}

func partField[R, P any](name string, shape *Shape, at func(*R) **P) *Field {
	return &Field{
		Name: name, Type: TypePart, Parts: shape,
		parts: partsAccess{
			size: func(r any) int {
				if *at(r.(*R)) == nil {
					return 0
				}
				return 1
			},
			at: func(r any, _ int) any { return *at(r.(*R)) },
			grow: func(r any) any {
				part := at(r.(*R))
				*part = new(P)
				return *part
			},
		},
		equal: func(a, b any) bool {
			x, y := *at(a.(*R)), *at(b.(*R))
			if x == nil || y == nil {
				return x == y
			}
			return shape.Equal(x, y)
		},
	}
}

func partsField[R, P any](t Type, name string, shape *Shape, at func(*R) *[]P) *Field {
	return &Field{
		Name: name, Type: t, Parts: shape,
		parts: partsAccess{
			size: func(r any) int { return len(*at(r.(*R))) },
			at:   func(r any, i int) any { return &(*at(r.(*R)))[i] },
			grow: func(r any) any {
				list := at(r.(*R))
				*list = append(*list, *new(P))
				return &(*list)[len(*list)-1]
			},
		},
		equal: func(a, b any) bool {
			x, y := *at(a.(*R)), *at(b.(*R))
			if len(x) != len(y) {
				return false
			}
			for i := range x {
				if !shape.Equal(&x[i], &y[i]) {
					return false
				}
			}
			return true
		},
	}
}
